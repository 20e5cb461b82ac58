from paraqa.ui.markup import Markup, element, join, prose


def test_text_is_escaped_and_markup_is_kept():
    assert element("p", "<b>", element("b", "&")) == "<p>&lt;b&gt;<b>&amp;</b></p>"


def test_an_attribute_cannot_be_left_by_a_quote():
    assert element("a", "x", title="\"'><script>") == (
        '<a title="&quot;&#x27;&gt;&lt;script&gt;">x</a>'
    )


def test_what_is_none_or_false_is_left_out():
    assert element("p", None, "x", title=None, hidden=False, inert=True) == "<p inert>x</p>"


def test_names_of_attributes_become_html():
    assert element("p", class_="a", aria_label="b") == '<p class="a" aria-label="b"></p>'


def test_joined_text_is_escaped_too():
    assert join(["<", Markup("<br>"), None]) == "&lt;<br>"


def test_markup_with_text_added_is_text_again():
    assert not isinstance(Markup("<b>") + "<i>", Markup)


def test_prose_shows_commands_as_code_and_nothing_else():
    assert prose("Run `a < b`, not <i>.") == "Run <code>a &lt; b</code>, not &lt;i&gt;."

"""Chinese, simplified; traditional characters are folded before anything is compared."""

from __future__ import annotations

import re

from paraqa.lang.language import Language, words

_WORKS = "(?:论文|文章|工作|研究|文献|系统|框架|方法|方案|技术|项目|作者|团队)"

CHINESE = Language(
    code="zh",
    locale="zh",
    quotes=("「", "」"),
    enders="。！？｡",
    abbreviations=frozenset(),
    stop_words=words(
        "的 了 是 在 和 与 或 及 以及 并 并且 而 而且 也 还 都 就 又 把 被 将 对 对于 从 到 "
        "由 向 于 以 为 为了 使 使得 让 其 其中 它 它们 他 她 我 我们 你 您 这 那 这个 那个 "
        "这些 那些 该 此 之 者 所 个 种 篇 项 些 有 没有 有没有 无 不 不是 能 能够 可 可以 "
        "会 要 如 如何 怎么 怎样 怎么样 什么 什么样 哪 哪个 哪些 哪里 哪篇 哪种 哪项 几 多少 "
        "多大 多 吗 呢 吧 啊 么 请 请问 一个 一种 一些 一 两 通过 利用 使用 采用 基于 关于 "
        "有关 用于 因为 由于 因此 所以 但 但是 然而 如果 则 当 时 中 里 上 下 内 外 后 前 "
        "之间 以上 以下 及其 各自 各 每 每个 等 等等 例如 比如 即 本文 论文 文章 文献 列出 "
        "介绍 告诉 给出 分别 相比 之后 以后 之前 以前 用"
    ),
    generic_words=words(
        "减少 降低 提高 提升 改进 改善 增加 提出 实现 应对 帮助 解决 处理 研究 面向 支持 提供 "
        "追求 设计 讨论 报告 涉及 针对 达到 获得 进行 探索 分析 新 形式 方式 不同 较 更 好 最 大 "
        "小 许多 多个 某种 工作 做 需要 声称 有效"
    ),
    function_words=re.compile(
        "[的了吗呢哪么怎请这那它们是把被和与我你吧几]|如何|多少|有没有|有哪|本文|提出|介绍|比较|"
        "列出|是否|关于|为何|多大"
    ),
    separator="和",
    list_question=re.compile(
        f"哪些(?:[^,，。?？;；]{{0,12}}的)?{_WORKS}|有哪些(?!维度|指标|算法)|(?:论文|文章|工作|研究|"
        f"文献)[^,，。?？;；]{{0,6}}(?:有哪些|哪些)|^[^\\w]*(?:请)?(?:列出|列举|罗列)|"
        "(?:所有|全部)(?:的)?(?:论文|文章|文献)|有没有[^?？]{0,30}(?:的)?(?:论文|文章|文献)|"
        f"有什么[^?？]{{0,30}}{_WORKS}|还有(?:别的|其他)?{_WORKS}"
    ),
    reference=re.compile(
        "(?P<place>(?:第[一二三四五123-5]|最后一?)(?:篇|项|个(?!维|月|阶|层|参|问))"
        f"{_WORKS}?|前者|后者)"
        "|(?P<many>它们|(?:这|那)(?:几|两|些)[篇个项]?(?:论文|文章|工作|系统|方法)?|两者|二者)"
        f"|(?P<one>它|(?:这|那|该|此)(?:篇|项|个)?{_WORKS}|上述{_WORKS}|(?:这|那)篇)"
        "|(?P<owner>(?<![与极尤])其(?![他它余中次实]))"
    ),
    definite=re.compile(f"[这那该此](?:篇|项|个)?{_WORKS}"),
    subject=re.compile("(?!)"),  # a subject stands first: nothing before it to look at
    plural_owners=words(""),
    expletive=re.compile("这些论文中|这些论文里|这些文章中"),
    elliptical=re.compile("^[^\\w]*(?:那么|那(?!些|个|篇|种|项)|还有呢|另外|此外)|呢[?？]?$"),
    places=(
        ("第一", 0),
        ("第1", 0),
        ("前者", 0),
        ("第二", 1),
        ("第2", 1),
        ("后者", 1),
        ("第三", 2),
        ("第3", 2),
        ("第四", 3),
        ("第4", 3),
        ("第五", 4),
        ("第5", 4),
        ("最后", -1),
    ),
    clause=re.compile("[,，。;；:：!！?？]"),
    owner_form="{name}的",
)

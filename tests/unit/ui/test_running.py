import asyncio

import pytest

from paraqa.events import Delta, Dropped
from paraqa.ui.running import Running
from scripted_library import Gate, ScriptedLibrary


def delta(text, number=1):
    return Delta(number=number, text=text)


async def test_text_that_piled_up_comes_as_one_event_and_the_order_stays():
    steps = [delta("a"), delta("b"), Dropped(number=1), delta("c"), delta("d", 2), delta("e", 2)]
    running = Running(ScriptedLibrary(default=steps).ask("q"))
    await asyncio.sleep(0.05)
    events = [event async for event in running.events()]
    assert events == [delta("ab"), Dropped(number=1), delta("c"), delta("de", 2)]


async def test_stopping_closes_the_stream_while_it_waits():
    gate = Gate()
    library = ScriptedLibrary(default=[delta("a"), gate, delta("b")])
    running = Running(library.ask("q"))
    events = []
    async with asyncio.timeout(2):
        async for event in running.events():
            events.append(event)
            running.stop()
    assert events == [delta("a")]
    assert library.asked[0].ended == "closed"


async def test_leaving_the_events_closes_the_stream():
    library = ScriptedLibrary(default=[delta("a"), Gate()])
    events = Running(library.ask("q")).events()
    assert await anext(events) == delta("a")
    await events.aclose()
    assert library.asked[0].ended == "closed"


async def test_an_error_of_the_stream_arrives_after_its_events():
    running = Running(ScriptedLibrary(default=[delta("a"), OSError("gone")]).ask("q"))
    events = running.events()
    assert await anext(events) == delta("a")
    with pytest.raises(OSError, match="gone"):
        await anext(events)


async def test_a_stream_without_events_ends():
    assert [event async for event in Running(ScriptedLibrary().ask("q")).events()] == []


async def test_closing_before_the_first_event_closes_the_stream():
    library = ScriptedLibrary(default=[Gate()])
    running = Running(library.ask("q"))
    await asyncio.sleep(0.01)
    await running.close()
    await running.close()
    assert library.asked[0].ended == "closed"

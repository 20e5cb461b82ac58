// What a page of links and text cannot do by itself. Everything is delegated from the document,
// because the elements come and go. Without this script the numbers are still links.
(() => {
  "use strict";

  const HOVER_MS = 150;
  const TICK_MS = 200;

  // ---- numbers and cards -------------------------------------------------------------------

  const linkOf = (node) => node.closest?.('a[href^="#t"]');
  const targetOf = (link) => document.getElementById(link.getAttribute("href").slice(1));

  // The pane that scrolls by itself around an element: on a narrow page there is none.
  const paneOf = (node) => {
    const pane = node.closest("#evidence, #talk");
    return pane && getComputedStyle(pane).overflowY === "auto" ? pane : null;
  };

  const follow = (link) => {
    const target = targetOf(link);
    if (!target) return;
    for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    // Following the same number twice must be a jump both times. The address is set here because
    // the page has a <base>, against which "#…" would leave an address with a query.
    if (location.hash === "#" + target.id) {
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    location.hash = target.id;
  };

  document.addEventListener("click", (event) => {
    const link = linkOf(event.target);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    follow(link);
  });

  // ---- what belongs together is lit together -----------------------------------------------

  let waiting = 0;

  const partners = (node) => {
    const link = node.closest?.("a.cite");
    if (link) return [targetOf(link)].filter(Boolean);
    const card = node.closest?.(".card");
    if (!card) return [];
    const links = document.querySelectorAll(`a.cite[href="#${card.id}"]`);
    return [...links].map((each) => each.closest(".claim")).filter(Boolean);
  };

  const darken = () => {
    clearTimeout(waiting);
    document.querySelectorAll(".lit").forEach((node) => node.classList.remove("lit"));
  };

  const light = (event) => {
    darken();
    const nodes = partners(event.target);
    nodes.forEach((node) => node.classList.add("lit"));
    const card = nodes.find((node) => node.matches(".card"));
    if (!card || !paneOf(card)) return;
    waiting = setTimeout(() => reveal(card, paneOf(card)), HOVER_MS);
  };

  // Scrolls the pane alone, and only as far as needed: the page and the reader's text stay.
  const reveal = (node, pane) => {
    const inner = node.getBoundingClientRect();
    const outer = pane.getBoundingClientRect();
    if (inner.top < outer.top || inner.height > outer.height) pane.scrollTop += inner.top - outer.top - 8;
    else if (inner.bottom > outer.bottom) pane.scrollTop += inner.bottom - outer.bottom + 8;
  };

  document.addEventListener("pointerover", light);
  document.addEventListener("focusin", light);
  document.addEventListener("focusout", darken);

  // ---- what the reader opened stays open when its card is drawn again ----------------------

  const opened = new Set(); // selectors

  document.addEventListener("click", (event) => {
    const details = event.target.closest?.(".card summary")?.parentElement;
    if (!details) return;
    const selector = `#${details.closest(".card").id} details.${[...details.classList].join(".")}`;
    if (details.open) opened.delete(selector); // it is about to close
    else opened.add(selector);
  });

  const reopen = () => {
    for (const selector of opened) {
      const details = document.querySelector(selector);
      if (details && !details.open) details.open = true;
    }
  };

  // ---- time, language, and a new question --------------------------------------------------

  let shown = null; // the exchange at the bottom
  let started = 0;

  const tick = () => {
    const clock = document.querySelector("#current .clock");
    if (!clock) return;
    const seconds = (performance.now() - started) / 1000;
    const text = clock.dataset.template.replace("{}", seconds.toFixed(1));
    if (clock.textContent !== text) clock.textContent = text;
  };

  // The one before it has moved up: until then the page would shift under the scroll.
  const isInPlace = (exchange) => {
    const number = Number(exchange.dataset.exchange);
    return number === 1 || document.querySelector(`#earlier #t${number - 1}`) !== null;
  };

  const look = () => {
    const lang = document.querySelector("[data-lang]")?.dataset.lang;
    if (lang && document.documentElement.lang !== lang) document.documentElement.lang = lang;
    const exchange = document.querySelector("#current .exchange");
    if (exchange && exchange.id !== shown && isInPlace(exchange)) {
      shown = exchange.id;
      const elapsed = exchange.querySelector(".clock")?.dataset.elapsed ?? 0;
      started = performance.now() - 1000 * elapsed;
      exchange.scrollIntoView({ block: "start" });
      document.getElementById("evidence")?.scrollTo(0, 0);
    }
    reopen();
    tick();
  };

  setInterval(tick, TICK_MS);
  new MutationObserver(look).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ["open"],
  });
})();

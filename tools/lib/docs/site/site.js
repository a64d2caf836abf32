// The search over guides and reference. What it looks through is search_index.js, which is loaded when somebody begins to search.
"use strict";
(() => {
  const root = new URL(".", document.currentScript.src).href;
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const kGuides = 9;
  const kSectionsOfGuide = 3;
  const kSymbols = 12;
  // Among symbols with equal names, the first kind comes first.
  const kKinds = ["class", "struct", "concept", "function", "define", "enumeration", "typedef", "header", "namespace", "variable"];
  let index = null;

  const load = () => {
    if (document.getElementById("index")) return;
    const script = document.createElement("script");
    script.id = "index";
    script.src = root + "search_index.js";
    script.onload = () => {
      const lower = (text) => text.toLowerCase();
      index = {
        sections: searchIndex.sections.map(([url, title, heading, text]) => ({url, title, heading, text, lower: [title, heading, text].map(lower)})),
        symbols: searchIndex.symbols.map(([name, scope, kind, url]) => ({name, scope, kind, url, lower: lower(name), all: lower(scope + "::" + name)})),
      };
      show();
    };
    document.head.append(script);
  };

  // How well a section of a guide matches; 0 if one of the words is missing.
  const scoreOfSection = (section, words, phrase) => {
    const [title, heading, text] = section.lower;
    if (!words.every((word) => title.includes(word) || heading.includes(word) || text.includes(word))) return 0;
    let score = 1;
    if (title.includes(phrase)) score += section.heading === section.title || !section.heading ? 60 : 20;
    if (heading.includes(phrase)) score += 40;
    else if (words.every((word) => heading.includes(word))) score += 25;
    const times = text.split(phrase).length - 1;
    if (times) score += 8 + 8 * Math.min(1, (times * 500) / (text.length + 500));
    return score;
  };

  // How well a symbol matches. What is written as words may be one name: "work queue" is workqueue.
  const scoreOfSymbol = (symbol, words, joined) => {
    const order = 1 - kKinds.indexOf(symbol.kind) / kKinds.length;
    if (symbol.lower === joined) return 90 + order;
    if (symbol.all === joined || symbol.all.endsWith("::" + joined)) return 85 + order;
    if (symbol.lower.startsWith(joined)) return 50 - Math.min(20, symbol.lower.length - joined.length) + order;
    if (symbol.lower.includes(joined)) return 25 + order;
    if (symbol.all.includes(joined)) return 12 + order;
    return words.every((word) => symbol.all.includes(word)) ? 8 + order : 0;
  };

  const best = (all, score, count) =>
    all.map((each) => ({each, score: score(each)})).filter((found) => found.score > 0).sort((a, b) => b.score - a.score).slice(0, count);

  // Not all of what is found in one guide.
  const fewOfEachGuide = (found) => {
    const counts = {};
    return found.filter(({each}) => (counts[each.title] = (counts[each.title] ?? 0) + 1) <= kSectionsOfGuide).slice(0, kGuides);
  };

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.textContent = text;
    return made;
  };

  // The text around the first place where a word stands, with the words marked.
  const excerpt = (text, words, phrase) => {
    const lower = text.toLowerCase();
    let at = lower.indexOf(phrase);
    if (at < 0) at = Math.max(0, lower.indexOf(words[0]));
    const from = at < 60 ? 0 : text.indexOf(" ", at - 60) + 1;
    const made = element("small", from ? "… " : "");
    let rest = text.slice(from, from + 170);
    while (rest) {
      const places = words.map((word) => [rest.toLowerCase().indexOf(word), word.length]).filter(([place]) => place >= 0);
      const [place, length] = places.length ? places.reduce((a, b) => (b[0] < a[0] ? b : a)) : [rest.length, 0];
      made.append(rest.slice(0, place));
      if (length) made.append(element("mark", rest.slice(place, place + length)));
      rest = rest.slice(place + length);
    }
    if (from + 170 < text.length) made.append(" …");
    return made;
  };

  const sectionLink = ({each}, words, phrase) => {
    const link = element("a", "");
    link.href = root + each.url;
    link.append(element("b", each.title));
    if (each.heading && each.heading !== each.title) link.append(" › " + each.heading);
    link.append(excerpt(each.text, words, phrase));
    return link;
  };

  const symbolLink = ({each}) => {
    const link = element("a", "");
    link.href = root + each.url;
    link.append(element("b", each.name), element("small", `${each.kind}, ${each.kind === "header" ? "in " : ""}${each.scope || "global"}`));
    return link;
  };

  const show = () => {
    const phrase = input.value.trim().toLowerCase().replace(/\s+/g, " ");
    results.hidden = phrase.length < 2;
    if (results.hidden || !index) return;
    const words = phrase.split(" ");
    const joined = words.join("").replace(/\(\)?$/, "");
    const groups = [
      {name: "Guides", found: fewOfEachGuide(best(index.sections, (each) => scoreOfSection(each, words, phrase), 100)), link: sectionLink},
      {name: "API reference", found: best(index.symbols, (each) => scoreOfSymbol(each, words, joined), kSymbols), link: symbolLink},
    ].filter((group) => group.found.length);
    groups.sort((a, b) => b.found[0].score - a.found[0].score);
    results.replaceChildren();
    for (const group of groups) {
      results.append(element("h2", group.name), ...group.found.map((found) => group.link(found, words, phrase)));
    }
    if (!groups.length) results.append(element("p", "Nothing found."));
    choose(0);
  };

  const choose = (number) => {
    const links = [...results.querySelectorAll("a")];
    if (!links.length) return;
    const chosen = links[(number + links.length) % links.length];
    links.forEach((link) => link.classList.toggle("chosen", link === chosen));
    chosen.scrollIntoView({block: "nearest"});
  };

  const chosenNumber = () => [...results.querySelectorAll("a")].findIndex((link) => link.classList.contains("chosen"));

  input.addEventListener("focus", load);
  input.addEventListener("focus", show);
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (step) choose(chosenNumber() + step);
    else if (event.key === "Enter") results.querySelector("a.chosen")?.click();
    else if (event.key === "Escape") input.blur(), (results.hidden = true);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search") || event.target.closest("#results a")) results.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, textarea")) return;
    event.preventDefault();
    input.focus();
  });
  // On a phone the navigation covers the page.
  document.querySelector("nav").addEventListener("click", (event) => {
    if (event.target.closest("a")) document.getElementById("menu").checked = false;
  });
  // The navigation shows where one is.
  document.querySelector("nav [aria-current]")?.scrollIntoView({block: "nearest"});
})();

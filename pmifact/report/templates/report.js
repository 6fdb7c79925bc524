"use strict";

// Neighbors: words that hold the text, those that start with it first, as cards.
(() => {
  const data = JSON.parse(document.getElementById("neighbor-data").textContent);
  const heads = data.words.slice(0, data.count);
  const folded = heads.map((word) => word.toLowerCase());
  const form = document.getElementById("search");
  const input = document.getElementById("search-text");
  const status = document.getElementById("search-status");
  const cards = document.getElementById("cards");
  const before = { status: status.textContent, cards: [...cards.children] };
  const MOST = 20;
  const wide = data.models.length > 4;

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const cell = (model, word, rank) => {
    const made = element("td");
    const near = data.near[model][word];
    if (near !== null && 2 * rank < near.length) {
      made.append(element("bdi", data.words[near[2 * rank]]), " ");
      made.append(element("span", (near[2 * rank + 1] / 1000).toFixed(3), "minor"));
    }
    return made;
  };

  const card = (word) => {
    const made = element("div", undefined, wide ? "card scroll" : "card");
    const table = element("table");
    const caption = table.createCaption();
    caption.id = `found-${word}`;
    caption.append(element("bdi", heads[word]));
    if (wide) {
      made.tabIndex = 0;
      made.setAttribute("role", "region");
      made.setAttribute("aria-labelledby", caption.id);
    }
    const row = table.createTHead().insertRow();
    data.models.forEach((name, model) => {
      const head = element("th");
      head.scope = "col";
      const key = element("span", undefined, `key key-${model % 7}`);
      key.append(element("bdi", name));
      head.append(key);
      row.append(head);
    });
    const body = table.createTBody();
    const depth = Math.max(0, ...data.near.map((rows) => (rows[word] || []).length / 2));
    for (let rank = 0; rank < depth; rank += 1) {
      body.insertRow().append(...data.models.map((_, model) => cell(model, word, rank)));
    }
    made.append(table);
    const missing = data.models.filter((_, model) => data.near[model][word] === null);
    if (missing.length) made.append(element("p", `No vector in ${missing.join(", ")}.`, "minor"));
    return made;
  };

  const show = () => {
    const text = input.value.trim().toLowerCase();
    if (!text) {
      status.textContent = before.status;
      cards.replaceChildren(...before.cards);
      return;
    }
    const starting = [];
    const holding = [];
    folded.forEach((word, number) => {
      const place = word.indexOf(text);
      if (place === 0) starting.push(number);
      else if (place > 0) holding.push(number);
    });
    const found = [...starting, ...holding];
    const count = found.length.toLocaleString("en");
    const noun = found.length === 1 ? "word holds" : "words hold";
    const shown = found.length > MOST ? `; the first ${MOST} are shown` : "";
    status.textContent = found.length
      ? `${count} ${noun} “${input.value.trim()}”${shown}.`
      : `None of the ${heads.length.toLocaleString("en")} words holds “${input.value.trim()}”.`;
    cards.replaceChildren(...found.slice(0, MOST).map(card));
  };

  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", show);
  if (input.value) show();
})();

// Tables whose headings sort them: numbers by value, words by their letters, empty cells last.
(() => {
  const letters = new Intl.Collator("en", { numeric: true });
  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    const number = cell.classList.contains("number") || cell.dataset.value !== undefined;
    return number ? Number.parseFloat(text.replace("\u2212", "-")) : text;
  };
  const order = (first, second) => {
    if (typeof first === "string") return letters.compare(first, second);
    return first - second;
  };

  const sort = (table, column) => {
    const head = table.tHead.rows[0].cells[column];
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
    const known = rows.filter(([value]) => !Number.isNaN(value));
    const unknown = rows.filter(([value]) => Number.isNaN(value));
    known.sort(([first], [second]) => (down ? order(second, first) : order(first, second)));
    body.append(...known.map(([, row]) => row), ...unknown.map(([, row]) => row));
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(table, column));
    });
  }
  const hint = document.getElementById("sort-hint");
  if (hint) hint.hidden = false;
})();

// On paper everything that can be opened is open.
(() => {
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();

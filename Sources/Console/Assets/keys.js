// Keys on the screen, for a post without a keyboard: a field says with data-keys which ones it needs. On a telephone the telephone's own
// are better, and where there is a mouse there is a keyboard.
"use strict";
(() => {
  const isWanted = () => matchMedia("(pointer: coarse)").matches && innerWidth >= 700;
  const rows = (...lines) => lines.map((line) => line.split(" "));
  const digits = "1 2 3 4 5 6 7 8 9 0";
  const pages = {
    latin: rows(digits, "Q W E R T Y U I O P ⌫", "A S D F G H J K L ⌧", "क Z X C V B N M ◀ ▶ ␣ ✓"),
    devanagari: rows("१ २ ३ ४ ५ ६ ७ ८ ९ ० ⌫ ⌧", "क ख ग घ च छ ज झ ञ ट ठ ड", "ढ ण त थ द ध न प फ ब भ म", "य र ल व श ष स ह ा ि ी ु", "A ू े ै ो ौ ं ् प्रदेश ◀ ▶ ␣ ✓"),
    text: rows(digits, "q w e r t y u i o p ⌫", "a s d f g h j k l ⌧", "क z x c v b n m . ◀ ▶ ␣ ✓"),
    pin: rows("1 2 3", "4 5 6", "7 8 9", "⌫ 0 ✓"),
    number: rows("1 2 3 4 5 ⌫ ⌧", "6 7 8 9 0 . ✓"),
  };
  const first = { plate: "latin", text: "text", pin: "pin", number: "number" };
  const words = document.body.dataset;
  const names = { "⌫": words.keyDelete, "␣": words.keySpace, "✓": words.keyDone, "⌧": words.keyClear, "◀": words.keyLeft, "▶": words.keyRight, "क": "देवनागरी", A: "Latin" };
  let panel = null, field = null, page = "";

  // The page moves when the room of the keys goes: not before the finger that took the focus away has hit what it meant.
  const roomMs = 500;
  const hide = () => {
    if (panel) panel.hidden = true;
    field = null;
    setTimeout(() => { if (!field) document.body.classList.remove("keyed"); }, roomMs);
  };
  const type = (text) => {
    const [start, end] = [field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length];
    const from = text === "" && start === end ? Math.max(0, start - 1) : start;
    const value = field.value.slice(0, from) + text + field.value.slice(end);
    if (field.maxLength > 0 && value.length > field.maxLength) return;
    field.value = value;
    field.setSelectionRange(from + text.length, from + text.length);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    weigh();
  };
  // In a plate, the keys that no format has at this place step back; they still work. An answer that comes late is of another place.
  let asked = 0;
  const weigh = async () => {
    const mine = ++asked;
    if (!field || field.dataset.keys !== "plate" || field.closest(".filters")) return;
    const all = [...panel.querySelectorAll("[data-key]:not(.special)")];
    const text = field.value.slice(0, field.selectionStart ?? field.value.length);
    const keys = all.map((one) => one.dataset.key).join(" ");
    const likely = await fetch(`/api/keys?text=${encodeURIComponent(text)}&keys=${encodeURIComponent(keys)}`, { signal: AbortSignal.timeout(3000) }).then((answer) => answer.ok ? answer.json() : null, () => null);
    if (mine === asked) all.forEach((one) => one.classList.toggle("unlikely", !!likely && !likely.includes(one.dataset.key)));
  };
  document.addEventListener("selectionchange", () => { if (field && panel && !panel.hidden) weigh(); });

  const press = (key) => {
    if (!field) return;
    if (key === "⌫") return type("");
    if (key === "⌧") { field.select(); return type(""); }
    if (key === "◀" || key === "▶") {
      const at = key === "◀" ? Math.max(0, field.selectionStart - 1) : Math.min(field.value.length, field.selectionEnd + 1);
      return field.setSelectionRange(at, at);
    }
    if (key === "␣") return type(" ");
    if (key === "क" && page !== "devanagari") return draw("devanagari");
    if (key === "A" && page === "devanagari") return draw(first[field.dataset.keys]);
    if (key !== "✓") return type(key);
    const done = field;
    hide();
    done.blur();
    // A PIN and a search have nothing else to be filled in.
    if (done.dataset.keys === "pin" || done.closest("[role=search]")) done.form.requestSubmit();
  };
  const draw = (name) => {
    page = name;
    if (!panel) {
      panel = document.createElement("div");
      panel.id = "keys";
      panel.setAttribute("role", "region");
      panel.setAttribute("aria-label", words.keysName);
      // The field keeps the focus while its keys are pressed.
      panel.addEventListener("pointerdown", (event) => event.preventDefault());
      panel.addEventListener("click", (event) => { const key = event.target.closest("button"); if (key) press(key.dataset.key); });
      document.body.append(panel);
    }
    panel.className = name;
    panel.replaceChildren(...pages[name].map((line) => {
      const row = document.createElement("div");
      row.append(...line.map((key) => {
        const button = document.createElement("button");
        button.type = "button";
        button.tabIndex = -1;
        button.dataset.key = button.textContent = key;
        const isSwitch = (key === "क" && name !== "devanagari") || (key === "A" && name === "devanagari");
        if ("⌫⌧◀▶␣✓".includes(key) || isSwitch) { button.setAttribute("aria-label", names[key]); button.classList.add("special"); }
        return button;
      }));
      return row;
    }));
    panel.hidden = false;
    weigh();
    document.body.classList.add("keyed");
  };
  const show = (input) => {
    if (!isWanted()) return;
    field = input;
    // Not the machine's own keys as well.
    input.inputMode = "none";
    draw(first[input.dataset.keys]);
    input.scrollIntoView({ block: "center" });
  };
  const wants = (element) => element instanceof HTMLElement && element.matches("[data-keys]");
  // The first tap on a field opens it, with the caret behind what stands in it, wherever the finger fell; a later one moves the caret.
  let opened = null;
  document.addEventListener("focusin", (event) => { if (wants(event.target)) { opened = event.target; show(event.target); } });
  document.addEventListener("click", (event) => {
    if (opened && isWanted() && !event.target.closest("#keys")) opened.setSelectionRange(opened.value.length, opened.value.length);
    opened = null;
  });
  document.addEventListener("focusout", (event) => { if (event.target === field && !wants(event.relatedTarget)) hide(); });
  // A second tap brings them back.
  document.addEventListener("click", (event) => { if (wants(event.target) && field !== event.target) show(event.target); });
  if (wants(document.activeElement)) show(document.activeElement);
  // Whoever opens the form of a plate is about to type it.
  document.addEventListener("toggle", (event) => {
    const plate = event.target.open && isWanted() && event.target.querySelector("[data-keys=plate]");
    if (plate) { plate.focus(); plate.setSelectionRange(plate.value.length, plate.value.length); }
  }, true);

  // What is said often is said with one tap.
  document.addEventListener("click", (event) => {
    const said = event.target.closest("[data-fill]");
    if (!said) return;
    const input = said.closest("form").querySelector("[name=reason]");
    input.value = said.textContent.trim();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();

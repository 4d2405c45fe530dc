// What a page must hold so that everybody can use it: names, contrast, sizes, structure. Gives a list of what is wrong.
() => {
  const wrong = [];
  const say = (element, what) => wrong.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(element).visibility !== "hidden" && !element.closest("[hidden], .visually-hidden, .skip, dialog:not([open])");
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);

  if (!document.documentElement.lang) wrong.push("the page names no language");
  if (!document.title.trim()) wrong.push("the page has no title");
  if (document.querySelectorAll("h1").length !== 1) wrong.push(`the page has ${document.querySelectorAll("h1").length} h1`);
  if (document.querySelectorAll("main").length !== 1) wrong.push("the page has not one main part");
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push(`the id ${id} stands twice`);
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`the page is ${document.documentElement.scrollWidth} px wide on ${innerWidth}`);

  for (const image of all("img")) if (!image.hasAttribute("alt")) say(image, "a picture without alt");
  for (const drawing of all("svg[role=img]")) if (!drawing.getAttribute("aria-label")) say(drawing, "a drawing without a name");
  for (const input of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!(input.labels && input.labels.length && input.labels[0].textContent.trim()) && !input.getAttribute("aria-label")) say(input, "a field without a label");
  }
  for (const control of document.querySelectorAll("button, a[href], summary")) {
    if (!(control.textContent.trim() || control.getAttribute("aria-label") || control.querySelector("img[alt]:not([alt=''])"))) say(control, "a control without a name");
  }
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, .visually-hidden").filter((one) => /^H\d$/.test(one.tagName))) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1 && level) say(heading, `a heading of level ${next} after ${level}`);
    level = next;
  }
  for (const button of all("a button, button a, label button, label a")) say(button, "a control inside another");
  for (const set of document.querySelectorAll("fieldset")) if (!set.querySelector("legend")) say(set, "a group without a legend");
  if ([...document.querySelectorAll("[tabindex]")].some((element) => element.tabIndex > 0)) wrong.push("a tab order of its own");

  const parse = (text) => { const found = text.match(/[\d.]+/g).map(Number); return { r: found[0], g: found[1], b: found[2], a: found.length > 3 ? found[3] : 1 }; };
  const light = ({ r, g, b }) => [r, g, b].map((value) => { const part = value / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; }).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(element) || !isShown(element) || element.closest("svg, script, option")) continue;
    seen.add(element);
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    if (size < 16) say(element, `text of ${size} px`);
    const [high, low] = [light(parse(style.color)), light(ground(element))].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const isLarge = size >= 24 || (size >= 18.66 && parseInt(style.fontWeight, 10) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) say(element, `contrast ${ratio.toFixed(2)}`);
  }

  const heights = [["button, .button, summary, nav a, input:not([type=hidden]):not([type=radio]):not([type=checkbox]), select, .tile span, .row, .check", 48], [".submit, .discard", 56], [".record", 72]];
  for (const [selector, least] of heights) {
    for (const control of all(selector)) {
      const box = control.getBoundingClientRect();
      if (box.height < least - 0.5 || box.width < 47.5) say(control, `${Math.round(box.width)}x${Math.round(box.height)} px, ${least} wanted`);
    }
  }
  return wrong;
}

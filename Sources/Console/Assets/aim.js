"use strict";
// The page on which a camera is set: what the reader sees in the newest picture, as often as it can look.
(() => {
  const byID = (id) => document.getElementById(id);
  const page = byID("aim");
  if (!page) return;
  const image = byID("aim-picture"), boxes = byID("aim-boxes"), frame = byID("aim-frame");
  const namespace = "http://www.w3.org/2000/svg";
  const digits = document.body.dataset.digits;
  const inDigits = (text) => (digits ? String(text).replace(/[0-9]/g, (one) => [...digits][one] || one) : String(text));
  let shown = 0, size = { width: 1, height: 1 };

  // The plates of the last vehicles: nobody can read what is in view for a second. One that is looked at again is the same vehicle.
  const last = [];
  const most = 30, staysMs = 10000;
  const overlaps = (one, other) => {
    const side = (from, size, otherFrom, otherSize) => Math.max(0, Math.min(from + size, otherFrom + otherSize) - Math.max(from, otherFrom));
    const shared = side(one[0], one[2], other[0], other[2]) * side(one[1], one[3], other[1], other[3]);
    return shared * 3 > Math.min(one[2] * one[3], other[2] * other[3]);
  };
  // How much two boxes have in common, of all that they cover.
  const likeness = (one, other) => {
    const side = (from, size, otherFrom, otherSize) => Math.max(0, Math.min(from + size, otherFrom + otherSize) - Math.max(from, otherFrom));
    const shared = side(one[0], one[2], other[0], other[2]) * side(one[1], one[3], other[1], other[3]);
    return shared / (one[2] * one[3] + other[2] * other[3] - shared || 1);
  };
  const isSure = (one) => one.plate && one.confidence >= .8;
  // A sign is found now and then, at the same place, and never surely: it is one thing however long it was not found, and no vehicle.
  const signMs = 300000, standsMs = 30000;
  const stands = (one) => !one.hasMoved && !isSure(one) && one.times > 2 && one.at - one.first > standsMs;
  const take = (sight) => {
    const now = performance.now();
    const known = last.find((one) => now - one.at < staysMs && ((one.plate && one.plate === sight.plate) || overlaps(one.box, sight.box)))
      || last.find((one) => now - one.at < signMs && !one.hasMoved && !isSure(one) && !isSure(sight) && likeness(one.box, sight.box) > .8);
    if (!known) { last.unshift({ ...sight, at: now, first: now, times: 1, hasMoved: false }); return; }
    const seen = { at: now, times: known.times + 1, hasMoved: known.hasMoved || likeness(known.box, sight.box) <= .8 };
    // What was read best of it is what counts.
    if (sight.confidence >= known.confidence) Object.assign(known, sight, seen);
    else Object.assign(known, { box: sight.box }, seen);
  };

  const element = (name, values) => {
    const made = document.createElementNS(namespace, name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    return made;
  };

  // The parts of the picture to leave out, and the zones to read in and nowhere else, in percent of it.
  const parts = (page.dataset.mask || "").split(";").filter(Boolean)
    .map((part) => [...part.replace("+", "").split(",").map(Number), part.startsWith("+")]);
  const rounded = (value) => Math.round(value * 10) / 10;
  const written = ([x, y, width, height, isZone]) =>
    // Rounded so that no side ends outside of the picture.
    (isZone ? "+" : "")
    + [rounded(x), rounded(y), rounded(rounded(x + width) - rounded(x)), rounded(rounded(y + height) - rounded(y))].join(",");
  // The rectangle under the finger; it counts when the finger is gone.
  let drawing = null;
  // What the page says of the mask is of this one.
  let drawn = parts.map(written).join(";");
  const drawMask = () => {
    const mask = parts.map(written).join(";"), field = byID("aim-mask-value");
    byID("aim-mask").textContent = `mask = "${mask}"`;
    if (mask !== drawn) byID("aim-mask-state").textContent = byID("aim-mask-state").dataset.changed;
    field.value = drawn = mask;
    for (const old of boxes.querySelectorAll(".masked, .zone, mask")) old.remove();
    const part = ([x, y, width, height], more) => element("rect", {
      x: x * size.width / 100, y: y * size.height / 100, width: width * size.width / 100, height: height * size.height / 100, ...more,
    });
    // The page's style has a word on every rectangle: these two say what of the picture is dark.
    const filled = (one, fill) => { const made = part(one); made.style.fill = fill; return made; };
    const shown = drawing ? [...parts, drawing] : parts;
    const zones = shown.filter((one) => one[4]), all = [0, 0, 100, 100];
    if (zones.length) {
      const outside = element("mask", { id: "aim-outside" });
      outside.append(filled(all, "#fff"), ...zones.map((zone) => filled(zone, "#000")));
      boxes.append(outside, part(all, { class: "masked", mask: "url(#aim-outside)" }));
    }
    for (const one of shown) boxes.append(part(one, { class: one[4] ? "zone" : "masked" }));
  };

  const draw = (look) => {
    size = { width: look.width || image.naturalWidth || 1, height: look.height || image.naturalHeight || 1 };
    boxes.textContent = "";
    boxes.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    for (const sight of look.sights) {
      const [x, y, width, height] = sight.box, letters = Math.max(size.height / 22, 10);
      boxes.append(element("rect", { x, y, width, height, class: sight.is_good ? "good" : "bad" }));
      const text = element("text", { x, y: y > letters * 1.4 ? y - letters * .3 : y + height + letters, "font-size": letters });
      text.textContent = sight.plate || page.dataset.unread;
      boxes.append(text);
    }
    drawMask();
  };

  const cell = (text, isWrong) => {
    const made = document.createElement("td");
    made.textContent = text;
    if (isWrong) made.className = "wrong";
    return made;
  };

  // The plate, and how sure it is below.
  const plateCell = (sight) => {
    const made = cell(sight.plate || page.dataset.unread, !sight.plate);
    if (sight.plate) {
      const sure = document.createElement("small");
      sure.textContent = `${inDigits(Math.round(sight.confidence * 100))} %`;
      made.append(document.createElement("br"), sure);
    }
    if (stands(sight)) {
      const sign = document.createElement("small");
      sign.textContent = page.dataset.stands;
      made.append(document.createElement("br"), sign);
    }
    return made;
  };

  const list = () => {
    byID("aim-rows").replaceChildren(...last.slice(0, 12).map((sight) => {
      const row = document.createElement("tr");
      const has = (...names) => names.some((name) => sight.problems.includes(name));
      row.append(
        plateCell(sight),
        cell(inDigits(Math.round(sight.glyph_height)), has("small", "too_small")),
        cell(inDigits(sight.edge_width.toFixed(1)), has("blurred")),
        cell(inDigits(Math.round(sight.contrast)), has("flat", "dark", "burnt")));
      return row;
    }));
    // What was read surely or has moved: a sign does neither, however often it is found.
    const vehicles = last.filter((one) => isSure(one) || one.hasMoved);
    const count = (test) => inDigits(vehicles.filter(test).length);
    byID("aim-sum").textContent = page.dataset.sum
      .replace("{all}", inDigits(vehicles.length)).replace("{read}", count(isSure))
      .replace("{blurred}", count((one) => one.problems.includes("blurred")))
      .replace("{small}", count((one) => one.problems.includes("small") || one.problems.includes("too_small")));
  };

  const look = async () => {
    const answer = await fetch(`/api/aim?camera=${encodeURIComponent(page.dataset.camera)}`, { credentials: "same-origin" });
    if (answer.status === 401) { location.reload(); return; }
    if (!answer.ok) throw new Error(String(answer.status));
    const found = await answer.json();
    const verdict = byID("aim-verdict");
    if (verdict.textContent !== found.verdict_text) verdict.textContent = found.verdict_text;
    verdict.className = `verdict ${found.verdict}`;
    const age = byID("aim-age"), seconds = inDigits(Math.round(found.age_ms / 1000)) + " s";
    age.classList.toggle("old", found.is_old);
    age.textContent = !found.number ? "" : (found.is_old ? page.dataset.old : found.age_ms < 5000 ? page.dataset.live : page.dataset.age)
      .replace("{age}", seconds);
    const ways = byID("aim-ways"), said = found.ways.join("\n");
    if (ways.dataset.said !== said) {
      ways.dataset.said = said;
      ways.replaceChildren(...found.ways.map((text) => {
        const item = document.createElement("li");
        item.textContent = text;
        return item;
      }));
    }
    if (!found.number || found.number === shown) return;
    await new Promise((done) => {
      image.onload = image.onerror = done;
      image.src = `/live?camera=${encodeURIComponent(found.camera)}&n=${found.number}`;
      setTimeout(done, 10000);
    });
    shown = found.number;
    image.hidden = !image.naturalWidth;
    byID("aim-none").hidden = !!image.naturalWidth;
    draw(found);
    if (!found.sights.length) return;
    found.sights.forEach(take);
    last.length = Math.min(last.length, most);
    list();
  };

  const loop = async () => {
    if (!document.hidden) await look().catch(() => {
      byID("aim-verdict").textContent = page.dataset.lost;
      byID("aim-verdict").className = "verdict problem";
      byID("aim-age").textContent = "";
    });
    setTimeout(loop, 700);
  };
  loop();

  // A rectangle drawn over the picture is left out, or read in alone. The picture may stand between bars.
  const place = (event) => {
    const box = frame.getBoundingClientRect(), scale = Math.min(box.width / size.width, box.height / size.height);
    const inside = (value, middle, side) => Math.min(100, Math.max(0, ((value - middle) / (side * scale) + .5) * 100));
    return [inside(event.clientX, box.x + box.width / 2, size.width), inside(event.clientY, box.y + box.height / 2, size.height)];
  };
  // One finger draws: a second one is no part of it. A finger that hardly moved has tapped, and what is too narrow to be seen is nothing.
  const tapPixels = 10;
  let from = null;
  frame.addEventListener("pointerdown", (event) => {
    if (image.hidden || from) return;
    from = { id: event.pointerId, at: place(event), x: event.clientX, y: event.clientY };
    drawing = [...from.at, 0, 0, !!document.querySelector("#aim-zone:checked")];
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    if (!from || event.pointerId !== from.id) return;
    const to = place(event), [x, y] = from.at;
    drawing.splice(0, 4, Math.min(x, to[0]), Math.min(y, to[1]), Math.abs(to[0] - x), Math.abs(to[1] - y));
    drawMask();
  });
  const finish = (event) => {
    if (!from || event.pointerId !== from.id) return;
    const [x, y] = from.at, made = drawing;
    const isTap = Math.hypot(event.clientX - from.x, event.clientY - from.y) < tapPixels;
    from = drawing = null;
    if (event.type === "pointerup" && isTap) {
      const below = parts.findLastIndex(([left, top, width, height]) =>
        left <= x && x <= left + width && top <= y && y <= top + height);
      if (below >= 0) parts.splice(below, 1);
    } else if (event.type === "pointerup" && made[2] >= 1 && made[3] >= 1 && parts.length < 16) {
      parts.push(made);
    }
    drawMask();
  };
  for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, finish);
  drawMask();
  byID("aim-clear").addEventListener("click", () => { parts.length = 0; drawMask(); });
})();

// The console without this still works: every form is a form. This keeps the page fresh, and makes it loud.
"use strict";
(() => {
  const byID = (id) => document.getElementById(id);
  const token = document.body.dataset.formToken;

  // Whatever is asked of the box is given up after a while: a frozen box neither answers nor refuses.
  let heard = performance.now(), isDown = false;
  const ask = async (path, options = {}) => {
    const answer = await fetch(path, { ...options, signal: AbortSignal.timeout(options.patience || 10000) });
    heard = performance.now();
    isDown = false;
    return answer;
  };
  const askJSON = async (path) => {
    try {
      const answer = await ask(path);
      return { status: answer.status, value: answer.ok ? await answer.json() : null };
    } catch { return null; }
  };
  // What this tab remembers. A browser may forbid it.
  const remembered = (name) => { try { return JSON.parse(sessionStorage.getItem(name)); } catch { return null; } };
  const remember = (name, value) => { try { sessionStorage.setItem(name, JSON.stringify(value)); } catch { /* Then not. */ } };

  // Drafts are somebody's own: whoever signs in next in this tab doesn't find them, and a sign-out forgets them.
  const whose = (name) => `${document.body.dataset.user} ${name}`;
  const draft = (name) => (remembered("drafts") || {})[whose(name)];
  const keepDraft = (name, value) => {
    const others = Object.entries(remembered("drafts") || {}).filter(([other]) => other !== whose(name)).slice(-19);
    remember("drafts", Object.fromEntries(value === null ? others : [...others, [whose(name), value]]));
  };

  const digits = document.body.dataset.digits;
  const numeral = (text) => digits ? String(text).replace(/[0-9]/g, (digit) => digits[digit]) : String(text);

  const fragment = async (path) => {
    const answer = await ask(path, { headers: { Accept: "text/html" } });
    // Signed out meanwhile: the sign-in page says so.
    if (answer.status === 401 && token) location.reload();
    return answer.ok ? answer.text() : null;
  };
  const fill = async (element, path) => {
    if (!element) return;
    const html = await fragment(path).catch(() => null);
    if (html !== null) element.innerHTML = html;
  };
  const post = (path, fields) => ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Form-Token": token },
    body: JSON.stringify(fields),
  });

  // Badges ---------------------------------------------------------------------------------------------------------------
  const badges = () => document.querySelectorAll(".badge").forEach((badge) => badge.classList.toggle("some", badge.textContent.trim() !== numeral(0)));
  const setCounts = (state) => {
    const set = (name, value) => document.querySelectorAll(`[data-count="${name}"]`).forEach((badge) => { badge.textContent = numeral(value); });
    set("review", state.review_count);
    set("alerts", state.alert_count);
    badges();
  };
  badges();
  // A form that came back after it was refused is reloaded, and returned to, as the page that it stands on.
  const place = byID("main").dataset.place;
  if (place && location.pathname.startsWith("/do/")) history.replaceState(null, "", place);

  // A photo whose file is gone, from a new disk for instance: words in its place, also where it failed before this ran.
  const replaceBroken = (image) => {
    if (!(image instanceof HTMLImageElement) || !new URL(image.src).pathname.startsWith("/photos/")) return;
    const words = document.createElement("p");
    words.className = "none";
    words.textContent = document.body.dataset.noPhoto;
    (image.closest("a.whole") || image).replaceWith(words);
  };
  document.addEventListener("error", (event) => replaceBroken(event.target), true);
  document.querySelectorAll("main img").forEach((image) => { if (image.complete && image.src && !image.naturalWidth) replaceBroken(image); });

  // Ages count here, so that they go on when the box does not.
  const ageText = (ms) => {
    const [s, min, h, d] = document.body.dataset.units.split("|");
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return numeral(`${seconds} ${s}`);
    if (seconds < 3600) return numeral(`${Math.floor(seconds / 60)} ${min}`);
    if (seconds < 86400) return numeral(`${Math.floor(seconds / 3600)} ${h} ${Math.floor(seconds / 60) % 60} ${min}`);
    return numeral(`${Math.floor(seconds / 86400)} ${d}`);
  };
  const began = performance.now();
  const ticks = [() => document.querySelectorAll("[data-age-ms]").forEach((one) => { one.textContent = ageText(Number(one.dataset.ageMs) + performance.now() - began); })];
  // What counts down to a moment, and up from it afterwards.
  ticks.push(() => document.querySelectorAll("[data-until-ms]").forEach((one) => {
    if (!one.countsFrom) one.countsFrom = performance.now();
    one.textContent = ageText(Math.abs(Number(one.dataset.untilMs) - (performance.now() - one.countsFrom)));
  }));
  setInterval(() => ticks.forEach((tick) => tick()), 1000);

  // A finger that was on its way when an alert came or went decides nothing, on the alert, on the page behind it or on the next one: for a
  // second nothing takes it, and a touch in that second begins it anew.
  const guardMs = 1000;
  const moment = () => performance.timeOrigin + performance.now();
  let guardedAt = remembered("guarded") || 0, guardEnd = 0;
  const isGuarded = () => moment() >= guardedAt && moment() - guardedAt < guardMs;
  // What lies below the status moved down: for half a second nothing there takes the finger that was on its way to something else.
  const movedMs = 500;
  let movedAt = -movedMs;
  const hasMoved = () => performance.now() - movedAt < movedMs;
  const showGuard = () => {
    clearTimeout(guardEnd);
    document.body.classList.toggle("fresh", isGuarded() || hasMoved());
    const left = Math.max(isGuarded() ? guardMs - (moment() - guardedAt) : 0, movedMs - (performance.now() - movedAt));
    if (left > 0) guardEnd = setTimeout(showGuard, left + 5);
  };
  const guard = () => { guardedAt = moment(); remember("guarded", guardedAt); showGuard(); };
  // The next vehicle came under a finger that tapped twice: it was not looked at. However long the page took to come, the second begins when
  // it is there.
  if (byID("review") && document.querySelector(".said")) guard();
  showGuard();
  document.addEventListener("click", (event) => {
    if (!isGuarded() && !(hasMoved() && byID("main").contains(event.target))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isGuarded()) guard();
  }, true);

  let touched = performance.now();
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, () => { touched = performance.now(); }, true);

  // Alerts ---------------------------------------------------------------------------------------------------------------
  // At the post's own screen also while nobody is signed in: without pictures, and with nothing to decide.
  const dialog = byID("alert");
  const sounds = Object.fromEntries(["speeding", "late", "inside", "wanted", "closed"].map((name) => [name, byID(`sound-${name}`)]));
  const silence = () => Object.values(sounds).forEach((sound) => { sound.pause(); sound.currentTime = 0; });
  const shown = () => dialog.querySelector("[data-alert]");

  const sound = () => {
    const alert = shown();
    if (!alert) return silence();
    const wanted = sounds[alert.dataset.finding];
    Object.values(sounds).forEach((other) => { if (other !== wanted) { other.pause(); other.currentTime = 0; } });
    const button = alert.querySelector(".sound-blocked");
    // A browser that was just started lets no page sound before it is touched.
    wanted.play().then(() => { button.hidden = true; }, () => { button.hidden = false; });
  };
  // Who signs in to see to an alert types in quiet, also after a wrong PIN. It comes again if they don't.
  const quietMs = 60000;
  const isQuiet = () => {
    const quiet = token ? null : remembered("quiet");
    return !!quiet && quiet.alert === shown().dataset.alert && moment() >= quiet.at && moment() - quiet.at < quietMs;
  };
  const closeAlert = () => {
    silence();
    if (!dialog.open) return;
    guard();
    dialog.close();
  };
  // What is shown stays until it is touched, here and on the next page; a newer one is counted only.
  const showAlert = async () => {
    if (!dialog) return;
    const drawn = shown() && shown().dataset.alert;
    const wanted = (dialog.open && drawn) || remembered("alert") || drawn || "";
    const html = await fragment(`/fragments/alert?shown=${encodeURIComponent(wanted)}`).catch(() => null);
    if (html === null) return;
    const box = document.createElement("div");
    box.innerHTML = html;
    const next = box.querySelector("[data-alert]");
    if (!next) {
      dialog.innerHTML = "";
      return closeAlert();
    }
    // The same alert is not drawn anew: a finger may be on its way to a button.
    if (!shown() || next.dataset.alert !== shown().dataset.alert) {
      dialog.innerHTML = html;
      if (dialog.open) focusTitle();
    } else {
      byID("alert-more").textContent = box.querySelector("#alert-more").textContent;
    }
    openAlert();
  };
  // The title gets the focus and no button: Enter of somebody who was typing must decide nothing.
  const focusTitle = () => {
    guard();
    byID("alert-title").focus({ preventScroll: true });
  };
  // The server is told when somebody could see it: a page in the background shows nothing.
  let toldOf = null;
  const told = () => {
    if (document.hidden || !dialog.open || !shown() || toldOf === shown().dataset.alert) return;
    toldOf = shown().dataset.alert;
    post("/api/alerts/shown", { id: toldOf }).catch(() => { toldOf = null; });
  };
  document.addEventListener("visibilitychange", () => dialog && told());
  // Never over a form of it that somebody is filling in: it waits until that is saved or left, and the badge counts it. Whoever has gone
  // away from a form keeps no alert from the others: what was typed is kept.
  const fillingMs = 120000;
  const isFilling = () => !!document.querySelector("[data-filling]") && performance.now() - touched < fillingMs;
  const openAlert = () => {
    if (!shown() || isFilling() || isQuiet()) return;
    remember("alert", shown().dataset.alert);
    if (!dialog.open) { dialog.showModal(); focusTitle(); }
    told();
    sound();
  };
  if (dialog) {
    // Escape is no decision. A browser closes a dialog at the second one all the same: then it comes back.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("keydown", (event) => { if (event.key === "Escape") event.preventDefault(); });
    dialog.addEventListener("close", openAlert);
    dialog.addEventListener("click", async (event) => {
      if (event.target.closest(".sound-blocked")) return sound();
      if (event.target.closest("[data-quiet]")) {
        remember("quiet", { alert: shown().dataset.alert, at: moment() });
        return closeAlert();
      }
      const touch = event.target.closest("[data-touch], [data-put]");
      if (!touch) return;
      event.preventDefault();
      const id = shown().dataset.alert;
      silence();
      const answer = await post(`/api/alerts/${touch.dataset.put || "later"}`, { id }).catch(() => null);
      if (touch.dataset.touch === undefined) return showAlert();
      if (answer) { guard(); location.href = touch.href; } else stay();
    });
    const kept = remembered("alert");
    if (shown() && kept && kept !== shown().dataset.alert) showAlert(); else openAlert();
  }

  // What changes ---------------------------------------------------------------------------------------------------------
  // What the status says may take a line more, and moves every button; a line less moves none, as long as the page stands.
  const status = byID("status");
  addEventListener("resize", () => { if (status) status.style.minHeight = ""; });
  const refreshStatus = async () => {
    const height = () => status ? status.getBoundingClientRect().height : 0;
    const before = height();
    await fill(status, "/fragments/status");
    if (height() > before + 1) { movedAt = performance.now(); showGuard(); }
    if (status) status.style.minHeight = `${Math.max(height(), before)}px`;
    const answer = await askJSON("/api/counts");
    if (answer && answer.value) setCounts(answer.value);
    await fill(byID("counts"), "/fragments/counts");
  };
  // The box says something every 15 s. When it doesn't for twice as long, what stands here may be old.
  const silenceMs = 30000;
  let lost = null;
  const showLost = () => {
    const isLost = isDown || performance.now() - heard > silenceMs;
    if (isLost && !lost) {
      lost = document.createElement("p");
      lost.id = "lost";
      lost.setAttribute("role", "alert");
      lost.textContent = document.body.dataset.lost;
      document.body.append(lost);
    } else if (!isLost && lost) {
      lost.remove();
      lost = null;
      if (token) refreshAll();
    }
  };
  ticks.push(showLost);
  const setDown = (is) => { isDown = is; if (!is) heard = performance.now(); showLost(); };

  // Nothing leaves this page while the box doesn't answer: a browser in a kiosk has no way back from its own page of errors, and what was
  // typed stays. So the box is asked first.
  const reaches = () => ask("/static/icon.svg", { cache: "no-store", patience: 3000 }).then(() => true, () => false);
  const stay = (text) => { setDown(true); lost.textContent = text || document.body.dataset.stays; };
  const go = async (address) => { if (await reaches()) location.href = address; else stay(); };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return;
    if (link.origin !== location.origin || (link.hash && link.pathname + link.search === location.pathname + location.search)) return;
    event.preventDefault();
    go(link.href);
  });
  // A second tap while the first is on its way sends nothing: it would be told that there is nothing left to do.
  let sent = new WeakMap();
  const reached = new WeakSet();
  document.addEventListener("submit", (event) => {
    const form = event.target, before = sent.get(form), button = event.submitter;
    if (event.defaultPrevented) return;
    if (reached.delete(form)) {
      if (form.getAttribute("action") === "/sign-out") remember("drafts", {});
      return;
    }
    event.preventDefault();
    if (before !== undefined && performance.now() - before < 10000) return;
    sent.set(form, performance.now());
    reaches().then((isThere) => {
      if (!isThere) { sent.delete(form); return stay(document.body.dataset.held); }
      reached.add(form);
      form.requestSubmit(button);
    });
  });
  window.addEventListener("pageshow", () => { sent = new WeakMap(); });

  // What was typed in a form stays when it is left for another page, until it is sent.
  document.querySelectorAll("form[data-draft]").forEach((form) => {
    const name = form.dataset.draft;
    const fields = [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.tagName !== "BUTTON");
    const typed = () => Object.fromEntries(fields.filter((one) => one.type !== "radio" || one.checked).map((one) => [one.name, one.value]));
    const first = JSON.stringify(typed()), kept = draft(name);
    if (kept && !form.querySelector("[role=alert]") && !document.querySelector("main > [role=alert]")) fields.forEach((one) => {
      if (one.type === "radio") one.checked = one.value === kept[one.name];
      else if (kept[one.name] !== undefined) one.value = kept[one.name];
    });
    const keep = () => keepDraft(name, JSON.stringify(typed()) === first ? null : typed());
    form.addEventListener("input", keep);
    form.addEventListener("change", keep);
  });
  // What a browser says of an empty field is in the browser's language, and not in the reader's.
  document.addEventListener("invalid", (event) => {
    if (event.target.validity.valueMissing) event.target.setCustomValidity(document.body.dataset.fillIn);
  }, true);
  document.addEventListener("input", (event) => event.target.setCustomValidity && event.target.setCustomValidity(""), true);
  // A sum is asked for where there is one, and is not sent along unseen.
  document.querySelectorAll("[data-for-kind]").forEach((label) => {
    const form = label.closest("form"), input = label.querySelector("input");
    const show = () => {
      const chosen = form.querySelector("[name=kind]:checked");
      label.hidden = !chosen || chosen.value !== label.dataset.forKind;
      input.disabled = label.hidden;
      input.required = !label.hidden;
    };
    form.addEventListener("change", show);
    show();
  });

  // What the park's schedule says, at one tap; it can be changed.
  document.querySelectorAll("[data-fine]").forEach((button) => button.addEventListener("click", () => {
    const form = button.closest("form");
    form.querySelector("[name=kind][value=fined]").checked = true;
    form.elements.fine_amount.value = button.dataset.fine;
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }));

  const refreshAll = () => { refreshStatus(); showAlert(); fill(byID("passages"), "/fragments/passages"); };
  // A picture of the other post has come: it takes the place of the words that stood there.
  const showPicture = (event) => {
    const { passage } = JSON.parse(event.data);
    document.querySelectorAll(`[data-picture="${passage}"]`).forEach((figure) => {
      const words = figure.querySelector(".none");
      if (!words) return;
      const link = document.createElement("a"), image = document.createElement("img");
      link.className = "whole";
      link.dataset.zoom = "";
      image.alt = figure.querySelector("figcaption").textContent;
      link.href = image.src = `/photos/other/${passage}`;
      link.append(image);
      words.replaceWith(link);
    });
  };
  // At the post's own screen alerts are told while nobody is signed in; elsewhere there is nothing to keep fresh.
  if (!token) {
    setInterval(() => { if (dialog) showAlert(); else reaches(); }, 5000);
    return;
  }
  const handlers = {
    passage: () => { fill(byID("passages"), "/fragments/passages"); fill(byID("inside"), "/fragments/inside"); showAlert(); refreshStatus(); }, review: refreshStatus,
    alert: () => { showAlert(); refreshStatus(); }, status: refreshStatus, picture: showPicture, reset: refreshAll,
  };
  // The stream of what changes. A page that nobody sees leaves it, since a browser has six connections to one box; it looks for itself
  // every 15 s, as does one that was refused. Who was refused comes back, again and again.
  let events = null, comeBack = 0;
  const leave = () => { clearTimeout(comeBack); if (events) events.close(); events = null; };
  const follow = () => {
    leave();
    events = new EventSource("/api/events");
    events.onopen = () => setDown(false);
    events.onerror = () => {
      // A browser tries again by itself, except where the box refused: then the box is there.
      if (events && events.readyState === EventSource.CLOSED) { leave(); comeBack = setTimeout(follow, 10000); refreshStatus().then(() => setDown(false), () => setDown(true)); }
      // Cut off: by a box that is gone, or since somebody signed out in another tab, which is told by the answer.
      else fragment("/fragments/status").then(() => setDown(false), () => setDown(true));
    };
    for (const [name, handle] of Object.entries(handlers)) events.addEventListener(name, (event) => { heard = performance.now(); handle(event); });
  };
  document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); else { follow(); refreshAll(); } });
  if (!document.hidden) follow();
  // An alert that nobody touched comes again, also when an event was missed.
  setInterval(() => { showAlert(); if (!events) refreshStatus(); }, 15000);
  // What comes next changes with the time alone.
  setInterval(() => { if (!document.hidden) fill(byID("inside"), "/fragments/inside"); }, 30000);
  window.addEventListener("pagehide", leave);

  // A screen that nobody touches asks who is there; what was typed is kept for whoever typed it.
  const lock = byID("lock"), lockMs = Number(document.body.dataset.lockMs || 0);
  if (lock) {
    lock.addEventListener("submit", () => { lock.elements.next.value = location.pathname + location.search; });
    if (lockMs) ticks.push(() => { if (performance.now() - touched > lockMs && !lost) { touched = performance.now(); lock.requestSubmit(); } });
  }

  // What becomes of a notice that is printed.
  if (byID("printer")) setInterval(() => { if (!document.hidden) fill(byID("printer"), "/fragments/printer"); }, 2000);

  // The live picture -----------------------------------------------------------------------------------------------------
  const live = byID("live");
  if (live) {
    const image = byID("live-picture"), boxes = byID("live-boxes"), none = byID("live-none"), age = byID("live-age");
    const namespace = "http://www.w3.org/2000/svg";
    let number = 0;
    const draw = (state) => {
      boxes.textContent = "";
      boxes.setAttribute("viewBox", `0 0 ${state.width || 1} ${state.height || 1}`);
      for (const plate of state.plates) {
        const [x, y, width, height] = plate.box;
        const rectangle = document.createElementNS(namespace, "rect");
        for (const [name, value] of Object.entries({ x, y, width, height })) rectangle.setAttribute(name, value);
        const text = document.createElementNS(namespace, "text");
        const size = Math.max(state.height / 22, 10);
        text.setAttribute("x", x);
        text.setAttribute("y", y > size * 1.4 ? y - size * .3 : y + height + size);
        text.setAttribute("font-size", size);
        text.textContent = plate.plate;
        boxes.append(rectangle, text);
      }
    };
    let arrived = null, answered = null, onMotion = false;
    const showAge = () => {
      if (arrived === null) return;
      // Of a camera that sends only when something moves a box that doesn't answer is what makes a picture old.
      const now = performance.now(), ms = now - arrived, isOld = now - (onMotion ? answered : arrived) > 30000;
      age.classList.toggle("old", isOld);
      age.textContent = (isOld ? live.dataset.old : ms < 3000 ? live.dataset.live : onMotion ? live.dataset.motion : live.dataset.age).replace("{age}", ageText(ms));
    };
    ticks.push(showAge);
    const look = async () => {
      const answer = await askJSON(`/api/live?camera=${encodeURIComponent(live.dataset.camera)}`);
      const state = answer && answer.value;
      if (!state) return;
      if (!state.number) { none.hidden = false; image.hidden = true; return; }
      const came = performance.now() - state.age_ms;
      answered = performance.now();
      onMotion = state.on_motion;
      live.dataset.camera = state.camera;
      if (state.number !== number) {
        await Promise.race([new Promise((done) => {
          image.onload = image.onerror = done;
          image.src = `/live?camera=${encodeURIComponent(state.camera)}&n=${state.number}`;
        }), new Promise((done) => setTimeout(done, 10000))]);
        number = state.number;
        image.hidden = !image.naturalWidth;
        none.hidden = !!image.naturalWidth;
        draw(state.width ? state : { ...state, width: image.naturalWidth, height: image.naturalHeight });
      }
      arrived = came;
      showAge();
    };
    const loop = async () => {
      if (!document.hidden) await look().catch(() => null);
      setTimeout(loop, 1000);
    };
    loop();
  }

  // Review ---------------------------------------------------------------------------------------------------------------
  const field = byID("plate"), preview = byID("plate-preview"), parts = byID("parts");
  if (field) {
    const id = document.querySelector("#review [name=id]").value;
    const types = [...document.querySelectorAll("input[name=vehicle_type]")];
    let latest = 0, settled = 0;
    // A type that was chosen by hand stays, whatever plate is typed after it.
    let isTypeChosen = false;

    // What was typed so far, should something come between.
    const keep = () => keepDraft(id, { plate: field.value, type: isTypeChosen ? types.find((one) => one.checked).value : null });
    const composed = () => [...parts.querySelectorAll(".part")].map((one) => one.dataset.current).join("");
    const drawParts = (list) => {
      const focused = [...parts.querySelectorAll("button")].indexOf(document.activeElement);
      parts.replaceChildren(...list.map(({ current, alternatives }) => {
        const part = document.createElement("span"), letter = document.createElement("b");
        part.className = "part";
        part.dataset.current = letter.textContent = current;
        part.append(letter, ...alternatives.map((value) => {
          const button = document.createElement("button");
          button.type = "button";
          button.className = "alternative";
          button.dataset.value = button.textContent = value;
          return button;
        }));
        return part;
      }));
      parts.closest("fieldset").hidden = !list.length;
      if (focused >= 0 && parts.querySelectorAll("button")[focused]) parts.querySelectorAll("button")[focused].focus();
    };
    const check = async (text, replacesField) => {
      const mine = ++latest;
      keep();
      let answer = null;
      // A box that is busy for a moment is asked again: what stands under the field is what stands in it.
      while (mine === latest && !(answer = await askJSON(`/api/plate?text=${encodeURIComponent(text)}&review=${encodeURIComponent(id)}`))) {
        preview.textContent = "…";
        byID("plate-script").textContent = "";
        await new Promise((done) => setTimeout(done, 2000));
      }
      if (mine !== latest) return;
      settled = mine;
      const plate = answer.value || { plate: "" };
      // Somebody who is in the field already is about to type: nothing is put under the fingers.
      if (replacesField && plate.plate && document.activeElement !== field) field.value = plate.plate;
      preview.textContent = plate.plate || "–";
      byID("plate-script").textContent = plate.script || "";
      // Characters are changed in what stands in the field now. A plate with a gap is none yet.
      if (plate.parts) drawParts(plate.parts); else if (composed() !== text) drawParts([]);
      const type = !isTypeChosen && types.find((one) => one.value === plate.vehicle_type);
      if (type) type.checked = true;
      keep();
    };
    field.addEventListener("input", () => check(field.value, false));
    types.forEach((one) => one.addEventListener("change", () => { isTypeChosen = true; keep(); }));
    document.querySelectorAll(".candidate").forEach((button) => button.addEventListener("click", () => {
      field.value = button.dataset.plate;
      check(field.value, true);
    }));
    parts.addEventListener("click", (event) => {
      const button = event.target.closest(".alternative");
      // The parts of a moment ago are not those of what was typed since.
      if (!button || settled !== latest) return;
      const part = button.closest(".part"), current = part.dataset.current;
      part.dataset.current = part.querySelector("b").textContent = button.dataset.value;
      button.dataset.value = button.textContent = current;
      field.value = composed();
      check(field.value, true);
    });
    // On a slow screen somebody may have typed before this script ran.
    const typedEarly = field.value !== field.defaultValue;
    const kept = draft(id);
    if (kept) {
      const type = types.find((one) => one.value === kept.type);
      if (type) { type.checked = true; isTypeChosen = true; }
      if (kept.plate !== field.value && !typedEarly) { field.value = kept.plate; check(kept.plate, false); }
    }
    if (typedEarly) check(field.value, false);
  }

  // Technician: what the reader makes of a picture -------------------------------------------------------------------------
  const read = byID("read");
  if (read) {
    read.addEventListener("submit", async (event) => {
      event.preventDefault();
      const out = byID("read-out");
      out.textContent = "…";
      const answer = await ask("/api/read", { method: "POST", patience: 120000, headers: { "X-Form-Token": token, "Content-Type": "application/octet-stream" }, body: read.querySelector("input").files[0] }).catch(() => null);
      const result = answer && await answer.json().catch(() => null);
      out.textContent = !result ? "?" : result.message || `${result.width} x ${result.height}, ${Math.round(result.ms)} ms: ` + (result.plates.map((plate) => `${plate.plate} (${plate.confidence.toFixed(2)}, ${plate.format})`).join("; ") || "–");
    });
  }
})();

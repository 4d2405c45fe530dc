// The console without this still works: every form is a form. This keeps the page fresh, and makes it loud.
"use strict";
(() => {
  const byID = (id) => document.getElementById(id);
  const token = document.body.dataset.formToken;

  const fragment = async (path) => {
    const answer = await fetch(path, { headers: { Accept: "text/html" } });
    // Signed out meanwhile: the sign-in page says so.
    if (answer.status === 401) location.reload();
    return answer.ok ? answer.text() : null;
  };
  const fill = async (element, path) => {
    if (!element) return;
    const html = await fragment(path).catch(() => null);
    if (html !== null) element.innerHTML = html;
  };
  const post = (path, fields) => fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Form-Token": token },
    body: JSON.stringify(fields),
  });

  // Badges ---------------------------------------------------------------------------------------------------------------
  const badges = () => document.querySelectorAll(".badge").forEach((badge) => badge.classList.toggle("some", badge.textContent.trim() !== "0"));
  const setCounts = (state) => {
    const set = (name, value) => document.querySelectorAll(`[data-count="${name}"]`).forEach((badge) => { badge.textContent = value; });
    set("review", state.review_count);
    set("alerts", state.alert_count);
    badges();
  };
  badges();
  if (!token) return;

  // Alerts ---------------------------------------------------------------------------------------------------------------
  const dialog = byID("alert");
  const sounds = { speeding: byID("sound-speeding"), overstay: byID("sound-overstay") };
  const silence = () => Object.values(sounds).forEach((sound) => { sound.pause(); sound.currentTime = 0; });
  const shown = () => dialog.querySelector("[data-alert]");

  const sound = () => {
    const alert = shown();
    if (!alert) return silence();
    const wanted = sounds[alert.dataset.kind];
    Object.values(sounds).forEach((other) => { if (other !== wanted) { other.pause(); other.currentTime = 0; } });
    const button = alert.querySelector(".sound-blocked");
    // A browser that was just started lets no page sound before it is touched.
    wanted.play().then(() => { button.hidden = true; }, () => { button.hidden = false; });
  };
  const showAlert = async () => {
    const before = shown() && shown().dataset.alert;
    const html = await fragment("/fragments/alert").catch(() => null);
    if (html === null) return;
    const box = document.createElement("div");
    box.innerHTML = html;
    const next = box.querySelector("[data-alert]");
    if (!next) {
      dialog.innerHTML = "";
      if (dialog.open) dialog.close();
      return silence();
    }
    // The same alert is not drawn anew: a finger may be on its way to a button.
    if (next.dataset.alert !== before) dialog.innerHTML = html;
    openAlert();
  };
  const openAlert = () => {
    if (!shown()) return;
    if (!dialog.open) dialog.showModal();
    sound();
  };
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.addEventListener("click", async (event) => {
    if (event.target.closest(".sound-blocked")) return sound();
    const touch = event.target.closest("[data-touch], [data-later]");
    if (!touch) return;
    event.preventDefault();
    const id = shown().dataset.alert;
    silence();
    await post("/api/alerts/later", { id }).catch(() => null);
    if (touch.dataset.touch !== undefined) location.href = touch.href; else showAlert();
  });
  openAlert();

  // What changes ---------------------------------------------------------------------------------------------------------
  const refreshStatus = async () => {
    await fill(byID("status"), "/fragments/status");
    const answer = await fetch("/api/counts").catch(() => null);
    if (answer && answer.ok) setCounts(await answer.json());
    await fill(byID("counts"), "/fragments/counts");
  };
  let lost = null;
  const setLost = (isLost) => {
    if (isLost && !lost) {
      lost = document.createElement("p");
      lost.id = "lost";
      lost.setAttribute("role", "alert");
      lost.textContent = document.body.dataset.lost;
      document.body.append(lost);
    } else if (!isLost && lost) { lost.remove(); lost = null; }
  };
  const refreshAll = () => { refreshStatus(); showAlert(); fill(byID("passages"), "/fragments/passages"); };
  const events = new EventSource("/api/events");
  events.onopen = () => setLost(false);
  events.onerror = () => setLost(true);
  events.addEventListener("passage", () => { fill(byID("passages"), "/fragments/passages"); refreshStatus(); });
  events.addEventListener("review", refreshStatus);
  events.addEventListener("alert", () => { showAlert(); refreshStatus(); });
  events.addEventListener("status", refreshStatus);
  // A picture of the other post has come: it takes the place of the words that stood there.
  events.addEventListener("picture", (event) => {
    const { passage } = JSON.parse(event.data);
    document.querySelectorAll(`[data-picture="${passage}"]`).forEach((figure) => {
      const words = figure.querySelector(".none");
      if (!words) return;
      const image = document.createElement("img");
      image.alt = figure.querySelector("figcaption").textContent;
      image.src = `/photos/other/${passage}`;
      words.replaceWith(image);
    });
  });
  events.addEventListener("reset", refreshAll);
  // An alert that nobody touched comes again, also when an event was missed.
  setInterval(showAlert, 15000);
  window.addEventListener("pagehide", () => events.close());

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
    const look = async () => {
      const answer = await fetch(`/api/live?camera=${encodeURIComponent(live.dataset.camera)}`).catch(() => null);
      if (!answer || !answer.ok) { if (number) { age.classList.add("old"); } return; }
      const state = await answer.json();
      if (!state.number) { none.hidden = false; image.hidden = true; return; }
      live.dataset.camera = state.camera;
      if (state.number !== number) {
        await new Promise((done) => {
          image.onload = image.onerror = done;
          image.src = `/live?camera=${encodeURIComponent(state.camera)}&n=${state.number}`;
        });
        number = state.number;
        image.hidden = !image.naturalWidth;
        none.hidden = !!image.naturalWidth;
        draw(state.width ? state : { ...state, width: image.naturalWidth, height: image.naturalHeight });
      }
      age.classList.toggle("old", state.is_old);
      age.textContent = (state.is_old ? live.dataset.old : state.age_ms < 3000 ? live.dataset.live : live.dataset.age).replace("{age}", state.age_text);
    };
    const loop = async () => {
      if (!document.hidden) await look();
      setTimeout(loop, 1000);
    };
    loop();
  }

  // Review ---------------------------------------------------------------------------------------------------------------
  const field = byID("plate"), preview = byID("plate-preview");
  if (field) {
    let latest = 0;
    const check = async (text, replacesField) => {
      const mine = ++latest;
      const answer = await fetch(`/api/plate?text=${encodeURIComponent(text)}`).catch(() => null);
      if (!answer || mine !== latest) return;
      const plate = answer.ok ? await answer.json() : { plate: "" };
      if (replacesField && plate.plate) field.value = plate.plate;
      preview.textContent = plate.plate || "–";
      const type = plate.vehicle_type && document.querySelector(`input[name=vehicle_type][value="${plate.vehicle_type}"]`);
      if (type) type.checked = true;
    };
    field.addEventListener("input", () => check(field.value, false));
    document.querySelectorAll(".candidate").forEach((button) => button.addEventListener("click", () => {
      field.value = button.dataset.plate;
      check(field.value, true);
    }));
    document.querySelectorAll(".alternative").forEach((button) => button.addEventListener("click", () => {
      const part = button.closest(".part");
      const current = part.dataset.current;
      part.dataset.current = button.dataset.value;
      part.querySelector("b").textContent = button.dataset.value;
      button.dataset.value = button.textContent = current;
      check([...document.querySelectorAll(".part")].map((one) => one.dataset.current).join(""), true);
    }));
  }

  // History: the next page when its end comes into sight ------------------------------------------------------------------
  const watchMore = () => {
    const more = document.querySelector("[data-more]");
    if (!more) return;
    const load = async () => {
      const html = await fragment(more.dataset.more).catch(() => null);
      if (html === null) return;
      more.insertAdjacentHTML("beforebegin", html);
      more.remove();
      watchMore();
    };
    const seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) { seen.disconnect(); load(); } }, { rootMargin: "800px" });
    seen.observe(more);
    more.addEventListener("click", (event) => { event.preventDefault(); seen.disconnect(); load(); }, { once: true });
  };
  watchMore();

  // Technician: what the reader makes of a picture -------------------------------------------------------------------------
  const read = byID("read");
  if (read) {
    read.addEventListener("submit", async (event) => {
      event.preventDefault();
      const out = byID("read-out");
      out.textContent = "…";
      const answer = await fetch("/api/read", { method: "POST", headers: { "X-Form-Token": token, "Content-Type": "application/octet-stream" }, body: read.querySelector("input").files[0] }).catch(() => null);
      const result = answer && await answer.json().catch(() => null);
      out.textContent = !result ? "?" : result.message || `${result.width} x ${result.height}, ${Math.round(result.ms)} ms: ` + (result.plates.map((plate) => `${plate.plate} (${plate.confidence.toFixed(2)}, ${plate.format})`).join("; ") || "–");
    });
  }
})();

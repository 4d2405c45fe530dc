// What every page needs, the box's and the park's: pictures that open large, and lists that go on.
"use strict";
(() => {
  // Pictures open in the page: a browser without buttons has no way back from one that fills it ---------------------------
  const viewer = document.getElementById("viewer"), pane = viewer && viewer.querySelector(".viewer-pane"), large = pane && pane.querySelector("img");
  let scale = 1;
  const zoom = (by, x = .5, y = .5) => {
    const before = scale;
    scale = Math.min(8, Math.max(1, by === 0 ? 1 : scale * by));
    const [left, top] = [pane.scrollLeft + x * pane.clientWidth, pane.scrollTop + y * pane.clientHeight];
    large.style.width = `${scale * 100}%`;
    large.style.height = scale > 1 ? "auto" : "100%";
    pane.scrollTo(left * scale / before - x * pane.clientWidth, top * scale / before - y * pane.clientHeight);
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-zoom]");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    large.src = link.href;
    viewer.showModal();
    zoom(0);
  });
  let drag = null, dragged = false;
  if (viewer) {
    viewer.addEventListener("click", (event) => {
      const by = event.target.closest("[data-zoom-by]");
      if (event.target.closest("[data-close]")) return viewer.close();
      if (by) return zoom(Number(by.dataset.zoomBy));
      if (dragged || event.target !== large) return;
      const box = pane.getBoundingClientRect();
      zoom(scale < 8 ? 2 : 0, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    });
    // Dragging by mouse; a finger scrolls by itself.
    pane.addEventListener("pointerdown", (event) => { dragged = false; if (event.pointerType === "mouse") { drag = event; event.preventDefault(); } });
    window.addEventListener("pointermove", (event) => {
      if (!drag) return;
      dragged = dragged || Math.hypot(event.clientX - drag.clientX, event.clientY - drag.clientY) > 6;
      pane.scrollBy(-event.movementX, -event.movementY);
    });
    window.addEventListener("pointerup", () => { drag = null; });
  }

  // Lists: the next page when its end comes into sight ------------------------------------------------------------------
  const watchMore = () => {
    const more = document.querySelector("[data-more]");
    if (!more) return;
    const load = async () => {
      const answer = await fetch(more.dataset.more, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10000) }).catch(() => null);
      // Signed out meanwhile: the sign-in page says so.
      if (answer && answer.status === 401) return location.reload();
      if (!answer || !answer.ok) return;
      const html = await answer.text();
      more.insertAdjacentHTML("beforebegin", html);
      more.remove();
      watchMore();
    };
    const seen = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) { seen.disconnect(); load(); } }, { rootMargin: "800px" });
    seen.observe(more);
    more.addEventListener("click", (event) => { event.preventDefault(); seen.disconnect(); load(); }, { once: true });
  };
  watchMore();
})();

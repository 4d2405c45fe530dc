// The warden's page without this still works: every form is a form. This keeps today's figures fresh.
"use strict";
(() => {
  const today = document.getElementById("today");
  if (!today) return;
  let isRenewing = false, isWanted = false;
  const renew = async () => {
    if (document.hidden) return;
    isWanted = isRenewing;
    if (isRenewing) return;
    isRenewing = true;
    const answer = await fetch(today.dataset.fragment, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10000) }).catch(() => null);
    // Signed out meanwhile: the sign-in page says so.
    if (answer && answer.status === 401) return location.reload();
    // Whoever is on a link in it with the keyboard keeps the place.
    if (answer && answer.ok && !today.contains(document.activeElement)) today.innerHTML = await answer.text();
    isRenewing = false;
    if (isWanted) setTimeout(renew, 2000);
  };
  let events = null;
  const follow = () => {
    if (events) events.close();
    events = document.hidden ? null : new EventSource("/warden/events");
    if (events) for (const name of ["change", "reset"]) events.addEventListener(name, renew);
  };
  // Ages go on when nothing is recorded, and a stream may be refused.
  setInterval(renew, 60000);
  document.addEventListener("visibilitychange", () => { follow(); renew(); });
  window.addEventListener("pagehide", () => { if (events) events.close(); });
  follow();
})();

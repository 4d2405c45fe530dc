// The warden's page without this still works: every form is a form. This keeps what is shown fresh.
"use strict";
(() => {
  const today = document.getElementById("today");
  if (!today) return;
  const renew = async () => {
    if (document.hidden) return;
    const answer = await fetch(today.dataset.fragment, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10000) }).catch(() => null);
    // Signed out meanwhile: the sign-in page says so.
    if (answer && answer.status === 401) return location.reload();
    // Whoever is on a link in it with the keyboard keeps the place.
    if (!answer || !answer.ok || today.contains(document.activeElement)) return;
    today.innerHTML = await answer.text();
  };
  setInterval(renew, 60000);
  document.addEventListener("visibilitychange", renew);
})();

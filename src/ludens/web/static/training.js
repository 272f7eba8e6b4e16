// The page of a training: takes the newest curve and figures from the server every two seconds until the run has ended.
const EVERY = 2000; // milliseconds

async function refresh() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch { /* the server does not answer: ask again */ }
  setTimeout(refresh, EVERY);
}

function show(page) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
    if (fresh && fresh.innerHTML !== part.innerHTML) part.innerHTML = fresh.innerHTML;
  }
  const button = page.getElementById("ui-play-it");
  if (button) document.getElementById("ui-play-it").hidden = button.hidden;
}

setTimeout(refresh, EVERY);

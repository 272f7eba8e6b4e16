// The theme: light, dark, or as the system has it. Stored in this browser and applied before the page is drawn.
"use strict";
(() => {
  const THEMES = ["auto", "light", "dark"];
  const MEDIA = { auto: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }; // the media query for dark pictures
  const kept = () => { try { return localStorage.getItem("ludens-theme"); } catch { return null; } };
  let theme = THEMES.includes(kept()) ? kept() : "auto";

  function apply() {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    for (const source of document.querySelectorAll("source.in-dark")) source.media = MEDIA[theme];
    const button = document.getElementById("ui-theme");
    if (button) {
      button.title = button.dataset[theme];
      button.setAttribute("aria-label", button.dataset[theme]);
    }
  }

  apply();
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("ui-theme").addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      try { localStorage.setItem("ludens-theme", theme); } catch { /* no storage in a private window: it lasts until the page is left */ }
      apply();
    });
  });
})();

// @ts-check
/**
 * Put the chosen theme on the page before anything is painted. A script and no module, since modules
 * run after the first paint; `preferences.js` is who changes it.
 */
(() => {
  const theme = localStorage.getItem("vivant.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();

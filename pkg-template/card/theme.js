/** The form's default colors. */
export const lightTheme = /* @__PURE__ */ Object.freeze({
  primary: "#1b4fd1",
  primaryLight: "#e9effc",
  text: "#16213a",
  textSecondary: "#55607a",
  foreground: "#ffffff",
  background: "#f2f4f8",
  inputLine: "#7e899d",
  divider: "#dfe4ec",
  icon: "#55607a",
  success: "#0e7440",
  danger: "#b3261e",
  dangerLight: "#fdeeec",
  buttonText: "#ffffff",
  buttonColor: "#1b4fd1",
});

/** The form's colors for a dark page. */
export const darkTheme = /* @__PURE__ */ Object.freeze({
  primary: "#9db8ff",
  primaryLight: "#253255",
  text: "#eef2fa",
  textSecondary: "#b3bed2",
  foreground: "#182133",
  background: "#0f1522",
  inputLine: "#7f8ca6",
  divider: "#2d384d",
  icon: "#b3bed2",
  success: "#67d6a0",
  danger: "#ffaaa2",
  dangerLight: "#40262b",
  buttonText: "#0c1733",
  buttonColor: "#9db8ff",
});

// Without the theme's fonts: the pages use the system's, as the shop does.
import Theme from "vitepress/theme-without-fonts";
import "../../../src/styles/tokens.css";
import "./docs.css";

export default Theme;

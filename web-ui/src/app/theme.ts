import { createTheme } from "@mantine/core";

/** theme.css has the colors and fonts, because a strict content security policy forbids generated styles. */
export const theme = createTheme({
  primaryColor: "indigo",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    // A placeholder that takes the focus is not a menu item, but screen readers read it as one.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

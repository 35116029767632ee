import { createTheme } from "@mantine/core";

/** Colours and fonts stand in theme.css, since a strict content security policy forbids generated styles. */
export const theme = createTheme({
  primaryColor: "indigo",
  respectReducedMotion: true,
  cursorType: "pointer",
  components: {
    // A placeholder that takes the focus is no item of a menu, and screen readers read it as one.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

import { createTheme } from "@mantine/core";

/** Colours and fonts stand in theme.css, since a strict content security policy forbids generated styles. */
export const theme = createTheme({
  primaryColor: "indigo",
  respectReducedMotion: true,
  cursorType: "pointer",
});

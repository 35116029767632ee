import type { ReactNode } from "react";

import { basePath } from "@/api/base";

import classes from "./logo.module.css";

export function Logo(): ReactNode {
  return (
    <span className={classes.logo}>
      <img src={`${basePath()}/favicon.svg`} alt="" width={28} height={28} />
      Equipoise
    </span>
  );
}

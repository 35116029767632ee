import { Anchor, Button, Menu, type AnchorProps, type ButtonProps, type MenuItemProps } from "@mantine/core";
import { createLink, useRouter, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";

import { basePath } from "@/api/base";

import classes from "./links.module.css";

type Attributes<Props> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>;

type PlainAnchorProps = AnchorProps & Attributes<AnchorProps>;
type PlainButtonProps = ButtonProps & Attributes<ButtonProps>;
type PlainItemProps = MenuItemProps & Attributes<MenuItemProps>;

function PlainAnchor(props: PlainAnchorProps): ReactNode {
  return <Anchor {...props} />;
}

function PlainButton(props: PlainButtonProps): ReactNode {
  return <Button component="a" {...props} />;
}

function PlainItem(props: PlainItemProps): ReactNode {
  return <Menu.Item component="a" {...props} />;
}

/** Links to other pages, whose addresses the compiler checks. */
export const AnchorLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);
export const ButtonLink: LinkComponent<typeof PlainButton> = createLink(PlainButton);
export const MenuItemLink: LinkComponent<typeof PlainItem> = createLink(PlainItem);

interface RowLinkProps {
  /** A path of the dashboard. */
  readonly path: string;
  readonly title?: string;
  readonly children: ReactNode;
}

/**
 * A link from a row of a long table to its page, without a component, because a long table renders several each frame.
 */
export function RowLink({ path, title, children }: RowLinkProps): ReactNode {
  const router = useRouter();
  function go(event: MouseEvent): void {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (isPlain) {
      event.preventDefault();
      void router.navigate({ to: path });
    }
  }
  return (
    <a className={classes.row} href={basePath() + path} title={title} onClick={go}>
      {children}
    </a>
  );
}

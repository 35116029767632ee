import { Anchor, Button, Menu, type AnchorProps, type ButtonProps, type MenuItemProps } from "@mantine/core";
import { createLink, type LinkComponent } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, ReactNode } from "react";

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

/** Ways to the other pages, whose addresses the compiler checks. */
export const AnchorLink: LinkComponent<typeof PlainAnchor> = createLink(PlainAnchor);
export const ButtonLink: LinkComponent<typeof PlainButton> = createLink(PlainButton);
export const MenuItemLink: LinkComponent<typeof PlainItem> = createLink(PlainItem);

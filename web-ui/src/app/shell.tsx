import { ActionIcon, Button, Menu, NativeSelect, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { ButtonLink, MenuItemLink } from "@/shared/links";
import { Logo } from "@/shared/logo";
import { useProjectScope } from "@/shared/project-scope";
import { QueryView } from "@/shared/query-view";
import { useCaller, useRights } from "@/shared/rights";
import { useProjects } from "@/shared/use-projects";

import { docsOfPage } from "./page-docs";
import classes from "./shell.module.css";
import { useVersion } from "./use-version";

const PAGES = [
  { to: "/runs", label: "Runs" },
  { to: "/compare", label: "Compare" },
  { to: "/workers", label: "Workers" },
  { to: "/plan", label: "Plan" },
] as const;

interface ShellProps {
  readonly onSignOut: () => void;
}

/** The frame around every page. */
export function Shell({ onSignOut }: ShellProps): ReactNode {
  const caller = useCaller();
  return (
    <>
      <a className={classes.skip} href="#content">
        Skip to the content
      </a>
      <header className={classes.header}>
        <Link to="/runs" className={classes.home} aria-label="Equipoise: go to the runs">
          <Logo />
        </Link>
        <nav className={classes.pages} aria-label="Pages">
          {PAGES.map(({ to, label }) => (
            <Link key={to} to={to} activeProps={{ "aria-current": "page" }}>
              {label}
            </Link>
          ))}
          <Link to="/docs/$" params={{ _splat: "" }} activeProps={{ "aria-current": "page" }}>
            Docs
          </Link>
        </nav>
        <div className={classes.tools}>
          <ProjectChoice />
          <HelpLink />
          <SchemeSwitch />
          <AccountMenu name={caller.data?.name} onSignOut={onSignOut} />
        </div>
      </header>
      <main id="content" className={classes.content}>
        <QueryView query={caller} what="permissions of the caller">
          {() => <Outlet />}
        </QueryView>
      </main>
      <Footer />
    </>
  );
}

function Footer(): ReactNode {
  const { data } = useVersion();
  return (
    <footer className={classes.footer}>
      {data !== undefined && `Equipoise ${data.version}, protocol ${data.protocol}`}
    </footer>
  );
}

function ProjectChoice(): ReactNode {
  const project = useProjectScope();
  const { data = [] } = useProjects();
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Project"
      size="xs"
      value={project ?? ""}
      data={[{ value: "", label: "All projects" }, ...data.map(({ id, name }) => ({ value: id, label: name }))]}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        void navigate({
          to: ".",
          search: (before) => ({ ...before, project: chosen === "" ? undefined : chosen }),
        });
      }}
    />
  );
}

/** The way to the documentation of the page that is shown. */
function HelpLink(): ReactNode {
  const path = useLocation({ select: ({ pathname }) => pathname });
  const { page, anchor } = docsOfPage(path);
  return path.startsWith("/docs") ? null : (
    <ButtonLink
      to="/docs/$"
      params={{ _splat: page }}
      {...(anchor !== undefined && { hash: anchor })}
      size="xs"
      variant="default"
      aria-label="Documentation of this page"
    >
      ?
    </ButtonLink>
  );
}

function SchemeSwitch(): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme("light") === "dark";
  return (
    <ActionIcon
      variant="default"
      aria-label={isDark ? "Light colors" : "Dark colors"}
      onClick={() => {
        setColorScheme(isDark ? "light" : "dark");
      }}
    >
      <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden fill="currentColor">
        {isDark ? (
          <path d="M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM7.4 1h1.2v2H7.4zm0 12h1.2v2H7.4zM1 7.4h2v1.2H1zm12 0h2v1.2h-2zM2.6 3.5l.9-.9 1.4 1.4-.9.9zm8.5 8.5.9-.9 1.4 1.4-.9.9zm0-8 1.4-1.4.9.9L12 4.9zM2.6 12.5 4 11.1l.9.9-1.4 1.4z" />
        ) : (
          <path d="M6.3 1.3a6.8 6.8 0 1 0 8.4 8.4A6 6 0 0 1 6.3 1.3Z" />
        )}
      </svg>
    </ActionIcon>
  );
}

interface AccountMenuProps {
  readonly name: string | undefined;
  readonly onSignOut: () => void;
}

function AccountMenu({ name, onSignOut }: AccountMenuProps): ReactNode {
  const { isAdministrator, hasSomewhere } = useRights();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default">
          {name ?? "Account"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuItemLink to="/account">Account</MenuItemLink>
        <MenuItemLink to="/lab/projects">Projects</MenuItemLink>
        {isAdministrator && <MenuItemLink to="/lab/users">Users</MenuItemLink>}
        {hasSomewhere("owner") && <MenuItemLink to="/lab/audit">Audit</MenuItemLink>}
        <Menu.Divider />
        <Menu.Item onClick={onSignOut}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

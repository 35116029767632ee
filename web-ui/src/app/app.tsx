import { Center, Loader, MantineProvider, Stack, Text } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { ApiProvider } from "@/api/api-context";
import { createApi, type Credential } from "@/api/client";
import { SignIn } from "@/features/session/sign-in";
import { useSession, type Session } from "@/features/session/use-session";

import { createQueryClient } from "./query-client";
import { createDashboardRouter } from "./router";
import { theme } from "./theme";

interface AppProps {
  /** Tests have no layout, so menus are taken to be in view and open at once. */
  readonly env?: "default" | "test";
}

export function App({ env = "default" }: AppProps): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      env={env}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <Dashboard />
    </MantineProvider>
  );
}

function Dashboard(): ReactNode {
  const { state, signIn, signOut } = useSession();
  switch (state.kind) {
    case "unknown":
      return <Waiting what="Checking your session" />;
    case "leaving":
      return <Waiting what="Signing out" />;
    case "out":
      return <SignIn ending={state.ending} onSignIn={signIn} />;
    case "in":
      return <SignedIn key={state.credential.csrfToken} credential={state.credential} onSignOut={signOut} />;
  }
}

interface WaitingProps {
  readonly what: string;
}

/** Shown in place of the pages until the service has answered. */
function Waiting({ what }: WaitingProps): ReactNode {
  return (
    <Center mih="100dvh">
      <Stack role="status" align="center">
        <Loader aria-hidden />
        <Text>{what}</Text>
      </Stack>
    </Center>
  );
}

interface SignedInProps {
  readonly credential: Credential;
  readonly onSignOut: Session["signOut"];
}

/** Discards all cached data when the caller changes. */
function SignedIn({ credential, onSignOut }: SignedInProps): ReactNode {
  const [api] = useState(() => createApi(credential));
  const [client] = useState(() => createQueryClient(onSignOut));
  const [router] = useState(() =>
    createDashboardRouter({
      onSignOut: () => {
        onSignOut();
      },
    }),
  );
  return (
    <ApiProvider api={api}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ApiProvider>
  );
}

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { ApiProvider } from "@/api/api-context";
import { createApi } from "@/api/client";
import { SignIn } from "@/features/session/sign-in";
import { useSession } from "@/features/session/use-session";

import { Dashboard } from "./dashboard";
import { createQueryClient } from "./query-client";
import { theme } from "./theme";

export function App(): ReactNode {
  const { token, refusal, signIn, signOut } = useSession();
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {token === null ? (
        <SignIn refusal={refusal} onSignIn={signIn} />
      ) : (
        <SignedIn key={token} token={token} onSignOut={signOut} />
      )}
    </MantineProvider>
  );
}

interface SignedInProps {
  readonly token: string;
  readonly onSignOut: (refusal?: string) => void;
}

/** Whatever one token has read goes when the token goes. */
function SignedIn({ token, onSignOut }: SignedInProps): ReactNode {
  const [api] = useState(() => createApi(token));
  const [client] = useState(() => createQueryClient(onSignOut));
  return (
    <ApiProvider api={api}>
      <QueryClientProvider client={client}>
        <Dashboard
          onSignOut={() => {
            onSignOut();
          }}
        />
      </QueryClientProvider>
    </ApiProvider>
  );
}

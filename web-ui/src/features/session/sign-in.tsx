import { Alert, Anchor, Button, Divider, Paper, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useEffect, useState, type ReactNode, type SubmitEvent } from "react";

import { answer, createApi, type Credential } from "@/api/client";
import { Logo } from "@/shared/logo";

import classes from "./sign-in.module.css";
import type { Ending } from "./use-session";

/** Visible ASCII only: a header cannot contain other characters. */
const API_TOKEN = /^eqp_[\x21-\x7e]+$/;

interface SignInProps {
  readonly ending: Ending | null;
  readonly onSignIn: (credential: Credential) => void;
}

export function SignIn({ ending, onSignIn }: SignInProps): ReactNode {
  const [byToken, setByToken] = useState(false);
  const provider = useProvider();
  return (
    <main className={classes.page}>
      <Paper withBorder radius="md" p="xl" className={classes.card}>
        <Stack>
          <Logo />
          <Title order={1} size="h4">
            Sign in
          </Title>
          {ending !== null && (
            <Alert color="red" variant="light" title={ending.title}>
              {ending.message}
            </Alert>
          )}
          {byToken ? <TokenForm onSignIn={onSignIn} /> : <PasswordForm onSignIn={onSignIn} />}
          {provider !== null && (
            <>
              <Divider label="or" />
              <Button component="a" href={provider} variant="default">
                Sign in with the identity provider
              </Button>
            </>
          )}
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => {
              setByToken(!byToken);
            }}
          >
            {byToken ? "Sign in with name and password" : "Sign in with an API token"}
          </Anchor>
        </Stack>
      </Paper>
    </main>
  );
}

/** Address of the sign-in at the identity provider; null without a provider. */
function useProvider(): string | null {
  const [provider, setProvider] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    answer(createApi(null).GET("/api/v1/sign-in", { signal: leaving.signal }))
      .then(({ oidc }) => {
        setProvider(oidc);
      })
      // Name and password are offered in any case.
      .catch(() => undefined);
    return () => {
      leaving.abort();
    };
  }, []);
  return provider;
}

type FormProps = Pick<SignInProps, "onSignIn">;

function PasswordForm({ onSignIn }: FormProps): ReactNode {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [mistake, setMistake] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setAsking(true);
    try {
      const { csrfToken } = await answer(createApi(null).POST("/api/v1/session", { body: { name, password } }));
      onSignIn({ kind: "session", csrfToken });
    } catch (error) {
      setMistake(error instanceof Error ? error.message : String(error));
      setAsking(false);
    }
  }

  return (
    <Stack component="form" onSubmit={(event: SubmitEvent) => void submit(event)}>
      <TextInput
        label="Name"
        autoComplete="username"
        autoFocus
        required
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        error={mistake}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setMistake(null);
        }}
      />
      <Button type="submit" loading={isAsking}>
        Sign in
      </Button>
    </Stack>
  );
}

function TokenForm({ onSignIn }: FormProps): ReactNode {
  const [text, setText] = useState("");
  const [mistake, setMistake] = useState<string | null>(null);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const token = text.trim();
    if (API_TOKEN.test(token)) {
      onSignIn({ kind: "token", token });
    } else {
      setMistake("An API token begins with eqp_ and has no spaces.");
    }
  }

  return (
    <Stack component="form" onSubmit={submit}>
      <PasswordInput
        label="API token"
        description="It is stored in this tab only."
        placeholder="eqp_…"
        autoComplete="off"
        spellCheck={false}
        autoFocus
        value={text}
        error={mistake}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setMistake(null);
        }}
      />
      <Button type="submit">Sign in</Button>
    </Stack>
  );
}

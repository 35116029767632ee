import { Alert, Anchor, Button, Divider, Paper, PasswordInput, Stack, TextInput, Title } from "@mantine/core";
import { useEffect, useState, type ReactNode, type SubmitEvent } from "react";

import { answer, createApi, type Credential } from "@/api/client";
import type { Schemas } from "@/api/schemas";
import { Logo } from "@/shared/logo";

import { beginSession } from "./begin-session";
import classes from "./sign-in.module.css";
import type { Ending } from "./use-session";

/** Visible ASCII only: a header cannot contain other characters. */
const API_TOKEN = /^eqp_[\x21-\x7e]+$/;

interface SignInProps {
  readonly ending: Ending | null;
  readonly onSignIn: (credential: Credential) => void;
}

export function SignIn({ ending, onSignIn }: SignInProps): ReactNode {
  const methods = useMethods();
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
          {methods !== null && <Forms methods={methods} onSignIn={onSignIn} />}
        </Stack>
      </Paper>
    </main>
  );
}

type Methods = Pick<Schemas["SignInMethods"], "oidc" | "users">;

interface FormsProps extends FormProps {
  readonly methods: Methods;
}

/** Shows one form; that for tokens comes first in a lab that has no users. */
function Forms({ methods, onSignIn }: FormsProps): ReactNode {
  const [byToken, setByToken] = useState(!methods.users);
  return (
    <>
      {byToken ? <TokenForm onSignIn={onSignIn} /> : <PasswordForm onSignIn={onSignIn} />}
      {methods.oidc !== null && (
        <>
          <Divider label="or" />
          <Button component="a" href={methods.oidc} variant="default">
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
    </>
  );
}

/** Ways to sign in; null until the service answers. */
function useMethods(): Methods | null {
  const [methods, setMethods] = useState<Methods | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    answer(createApi(null).GET("/api/v1/sign-in", { signal: leaving.signal }))
      .then(setMethods)
      .catch(() => {
        if (!leaving.signal.aborted) {
          // Name and password are offered in any case.
          setMethods({ oidc: null, users: true });
        }
      });
    return () => {
      leaving.abort();
    };
  }, []);
  return methods;
}

/** A form that begins a session, and stays with the reason if the service rejects it. */
interface Attempt {
  readonly mistake: string | null;
  readonly isAsking: boolean;
  readonly setMistake: (mistake: string | null) => void;
  readonly begin: (proof: Schemas["Credentials"]) => Promise<void>;
}

function useAttempt(onSignIn: SignInProps["onSignIn"]): Attempt {
  const [mistake, setMistake] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  return {
    mistake,
    isAsking,
    setMistake,
    async begin(proof) {
      setAsking(true);
      try {
        onSignIn(await beginSession(proof));
      } catch (error) {
        setMistake(error instanceof Error ? error.message : String(error));
        setAsking(false);
      }
    },
  };
}

type FormProps = Pick<SignInProps, "onSignIn">;

function PasswordForm({ onSignIn }: FormProps): ReactNode {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { mistake, isAsking, setMistake, begin } = useAttempt(onSignIn);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    void begin({ name, password });
  }

  return (
    <Stack component="form" onSubmit={submit}>
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
  const { mistake, isAsking, setMistake, begin } = useAttempt(onSignIn);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const token = text.trim();
    if (API_TOKEN.test(token)) {
      void begin({ token });
    } else {
      setMistake("An API token begins with eqp_ and has no spaces.");
    }
  }

  return (
    <Stack component="form" onSubmit={submit}>
      <PasswordInput
        label="API token"
        description="The browser gets a session of 12 h at most, and does not store the token."
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
      <Button type="submit" loading={isAsking}>
        Sign in
      </Button>
    </Stack>
  );
}

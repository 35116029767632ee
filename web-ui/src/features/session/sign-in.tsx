import { Alert, Button, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactNode, type SubmitEvent } from "react";

import { Logo } from "@/shared/logo";

import classes from "./sign-in.module.css";

/** Visible ASCII only: anything else cannot stand in a header. */
const API_TOKEN = /^eqp_[\x21-\x7e]+$/;

interface SignInProps {
  readonly refusal: string | null;
  readonly onSignIn: (token: string) => void;
}

export function SignIn({ refusal, onSignIn }: SignInProps): ReactNode {
  const [text, setText] = useState("");
  const [mistake, setMistake] = useState<string | null>(null);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const token = text.trim();
    if (API_TOKEN.test(token)) {
      onSignIn(token);
    } else {
      setMistake("An API token begins with eqp_ and has no spaces.");
    }
  }

  return (
    <main className={classes.page}>
      <Paper component="form" withBorder radius="md" p="xl" className={classes.card} onSubmit={submit}>
        <Stack>
          <Logo />
          <div>
            <Title order={1} size="h4">
              Sign in
            </Title>
            <Text c="dimmed" size="sm">
              With an API token of this service. It is kept in this tab only.
            </Text>
          </div>
          {refusal !== null && (
            <Alert color="red" variant="light" title="You have been signed out">
              {refusal}
            </Alert>
          )}
          <PasswordInput
            label="API token"
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
      </Paper>
    </main>
  );
}

import { Box, PasswordInput, Stack, Text } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { FormBody } from "@/shared/form-body";
import { Section } from "@/shared/section";
import { violationAt } from "@/shared/violations";

import { useNewPassword } from "./use-account";

const EMPTY = { old: "", password: "", again: "" };

/** Changes the caller's password. */
export function PasswordForm(): ReactNode {
  const [form, setForm] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const change = useNewPassword();
  const differ = form.password !== form.again;
  const field = (
    name: keyof typeof EMPTY,
  ): { value: string; onChange: (event: { currentTarget: { value: string } }) => void } => ({
    value: form[name],
    onChange(event) {
      const { value } = event.currentTarget;
      setForm((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <Section title="Password">
      <Stack px="md" pb="md" gap="sm" maw={420}>
        <Text size="sm">A new password ends all sessions, including this one. Tokens stay valid.</Text>
        <FormBody
          action="Change the password"
          error={change.error}
          isPending={change.isPending}
          onSubmit={() => {
            setTried(true);
            if (!differ) {
              change.mutate(
                { old: form.old, password: form.password },
                {
                  onSuccess() {
                    setForm(EMPTY);
                    setTried(false);
                  },
                },
              );
            }
          }}
        >
          <PasswordInput
            label="Old password"
            autoComplete="current-password"
            required
            error={violationAt(change.error, "/old")}
            {...field("old")}
          />
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            required
            error={violationAt(change.error, "/password")}
            {...field("password")}
          />
          <PasswordInput
            label="Repeat the new password"
            autoComplete="new-password"
            required
            error={isTried && differ ? "The passwords differ." : undefined}
            {...field("again")}
          />
        </FormBody>
        <Box role="status">{change.isSuccess && <Text size="sm">The password is changed.</Text>}</Box>
      </Stack>
    </Section>
  );
}

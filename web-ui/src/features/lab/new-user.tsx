import { Checkbox, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { DialogButton } from "@/shared/dialog-button";
import { FormBody } from "@/shared/form-body";
import { violationAt } from "@/shared/violations";

import { useNewUser } from "./use-lab";

export function NewUser(): ReactNode {
  return (
    <DialogButton label="Make a user" title="New user">
      {(close) => <UserForm onDone={close} />}
    </DialogButton>
  );
}

function UserForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [name, setName] = useState("");
  const [isForeign, setForeign] = useState(false);
  const [secret, setSecret] = useState("");
  const [administrator, setAdministrator] = useState(false);
  const creation = useNewUser();
  return (
    <FormBody
      action="Make"
      error={creation.error}
      isPending={creation.isPending}
      onSubmit={() => {
        creation.mutate(
          { name: name.trim(), password: isForeign ? null : secret, subject: isForeign ? secret : null, administrator },
          { onSuccess: onDone },
        );
      }}
    >
      <TextInput
        label="Name"
        required
        autoComplete="off"
        data-autofocus
        value={name}
        error={violationAt(creation.error, "/name")}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <NativeSelect
        label="Signs in"
        data={[
          { value: "password", label: "With a password" },
          { value: "subject", label: "At the identity provider" },
        ]}
        value={isForeign ? "subject" : "password"}
        onChange={(event) => {
          setForeign(event.currentTarget.value === "subject");
          setSecret("");
        }}
      />
      {isForeign ? (
        <TextInput
          label="Subject"
          description="Identifier of the user at the provider; the message of a rejected first sign-in contains it"
          required
          value={secret}
          error={violationAt(creation.error, "/subject")}
          onChange={(event) => {
            setSecret(event.currentTarget.value);
          }}
        />
      ) : (
        <PasswordInput
          label="Password"
          required
          autoComplete="new-password"
          value={secret}
          error={violationAt(creation.error, "/password")}
          onChange={(event) => {
            setSecret(event.currentTarget.value);
          }}
        />
      )}
      <Checkbox
        label="Administrator"
        checked={administrator}
        onChange={(event) => {
          setAdministrator(event.currentTarget.checked);
        }}
      />
    </FormBody>
  );
}

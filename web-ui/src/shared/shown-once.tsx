import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface ShownOnceProps {
  readonly token: string;
  /** Noun for the text. */
  readonly what?: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
}

/** Shows the text of a new token or secret, and what to do with it. */
export function ShownOnce({ token, what = "token", children, onClose }: ShownOnceProps): ReactNode {
  return (
    <Stack>
      <Text size="sm">Copy the {what} now. It will not be shown again.</Text>
      <Copyable text={token} label={`Copy the ${what}`} />
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

interface CopyableProps {
  readonly text: string;
  readonly label: string;
}

export function Copyable({ text, label }: CopyableProps): ReactNode {
  return (
    <Stack gap={4} align="flex-start">
      <Code block w="100%" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="default" miw={140} onClick={copy}>
            {copied ? "Copied" : label}
          </Button>
        )}
      </CopyButton>
    </Stack>
  );
}

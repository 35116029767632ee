import type { Problem } from "./schemas";

export type Violation = NonNullable<Problem["errors"]>[number];

/** Reports that the service rejected a request, and why. */
export class ServiceProblem extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The broken rules of the body, each at its JSON pointer. */
  readonly violations: readonly Violation[];

  constructor(status: number, message: string, code: string | null = null, violations: readonly Violation[] = []) {
    super(message);
    this.name = "ServiceProblem";
    this.status = status;
    this.code = code;
    this.violations = violations;
  }

  /** Reads problem details; a proxy in between may answer with anything else. */
  static from(status: number, body: unknown): ServiceProblem {
    const { detail, title, code, errors }: Partial<Problem> = typeof body === "object" && body !== null ? body : {};
    const message = detail ?? title ?? `The service answered with status ${status.toString()}.`;
    return new ServiceProblem(status, message, code ?? null, errors ?? []);
  }
}

/** Reports that no response came. */
export class ServiceUnreachable extends Error {
  constructor(cause: unknown) {
    super("The service cannot be reached.", { cause });
    this.name = "ServiceUnreachable";
  }
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ServiceProblem && error.status === 401;
}

export function isMissing(error: unknown): boolean {
  return error instanceof ServiceProblem && error.status === 404;
}

/** Whether someone else has changed the resource since it was read. */
export function isOutrun(error: unknown): boolean {
  return error instanceof ServiceProblem && error.status === 412;
}

/** Tells when data that has changed is read again, so that it is read at most once per period. */
export class ReadSchedule<Subject> {
  readonly #read = new Map<Subject, number>();
  readonly #due = new Map<Subject, number>();

  /** The data have just been read. */
  constructor(subjects: readonly Subject[], now: number) {
    subjects.forEach((subject) => this.#read.set(subject, now));
  }

  /** Demands that changed data be read as soon as the last time is a period ago, in milliseconds. */
  demand(subject: Subject, period: number): void {
    const due = (this.#read.get(subject) ?? -Infinity) + period;
    this.#due.set(subject, Math.min(due, this.#due.get(subject) ?? Infinity));
  }

  /** Returns what is to be read now, and takes it as read. */
  take(now: number): readonly Subject[] {
    const subjects = [...this.#due].flatMap(([subject, due]) => (due <= now ? [subject] : []));
    subjects.forEach((subject) => {
      this.#due.delete(subject);
      this.#read.set(subject, now);
    });
    return subjects;
  }
}

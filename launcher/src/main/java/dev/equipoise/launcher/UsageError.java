package dev.equipoise.launcher;

import java.util.List;

/** An error that the user must correct before the command can run; each sentence names one. */
public final class UsageError extends RuntimeException {

    private final List<String> sentences;

    public UsageError(String sentence) {
        this(List.of(sentence));
    }

    public UsageError(List<String> sentences) {
        super(String.join("; ", sentences));
        this.sentences = List.copyOf(sentences);
    }

    public List<String> sentences() {
        return sentences;
    }
}

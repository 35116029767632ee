package dev.equipoise.launcher;

import java.util.List;

/** What the user must change before a command can run: each sentence says one thing. */
final class WrongInput extends RuntimeException {

    private final List<String> sentences;

    WrongInput(String sentence) {
        this(List.of(sentence));
    }

    WrongInput(List<String> sentences) {
        super(String.join("; ", sentences));
        this.sentences = List.copyOf(sentences);
    }

    List<String> sentences() {
        return sentences;
    }
}

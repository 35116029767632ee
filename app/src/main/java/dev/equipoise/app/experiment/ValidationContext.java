package dev.equipoise.app.experiment;

import dev.equipoise.app.configuration.RunConfiguration;

/**
 * A configuration under validation, with the reader that reports violations.
 *
 * @param fields of the whole definition
 */
record ValidationContext(RunConfiguration configuration, JsonFieldReader fields) {

    /** Returns the rounds of the whole run. */
    long rounds() {
        return (long) configuration.rounds() * configuration.training().epochs();
    }

    /**
     * Reports a rule unless it holds.
     *
     * @param path of the field that must change
     */
    void require(boolean holds, String path, String rule) {
        if (!holds) {
            note(path, rule);
        }
    }

    void note(String path, String rule) {
        fields.note(path, rule);
    }
}

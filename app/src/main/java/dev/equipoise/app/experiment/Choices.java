package dev.equipoise.app.experiment;

/**
 * What was chosen, and where it is noted that choices do not go together.
 *
 * @param fields of the whole definition
 */
record Choices(RunConfiguration configuration, Fields fields) {

    /** Of the whole run. */
    long rounds() {
        return (long) configuration.rounds() * configuration.training().epochs();
    }

    /**
     * Notes a rule that is broken.
     *
     * @param path of the field that would have to be another
     */
    void require(boolean kept, String path, String rule) {
        if (!kept) {
            note(path, rule);
        }
    }

    void note(String path, String rule) {
        fields.note(path, rule);
    }
}

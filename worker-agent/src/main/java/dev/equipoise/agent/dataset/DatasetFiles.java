package dev.equipoise.agent.dataset;

/**
 * Descriptions of the files from which the parts of a data set were read, with their sizes; for
 * messages.
 */
public record DatasetFiles(
        String trainingInputs, String trainingLabels, String testInputs, String testLabels) {

    /** Returns the same description for all parts. */
    static DatasetFiles of(String all) {
        return new DatasetFiles(all, all, all, all);
    }
}

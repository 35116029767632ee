package dev.equipoise.agent.model;

/** Prints predictions one by one, so that any number of them takes little memory. */
interface PredictionPrinter {

    void print(PredictedSample prediction);

    /** Ends the output. */
    void end(AccuracyCount accuracy);
}

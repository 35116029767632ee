package dev.equipoise.protocol.model;

/** Names of the metadata of a model file. All values are texts, most of them JSON. */
public final class ModelMetadata {

    /** Framework of the tensors' names and layouts: {@code pt}, as other tools write it. */
    public static final String FORMAT = "format";

    /** Version of these metadata: {@link #CURRENT_VERSION}. */
    public static final String VERSION = "equipoise_model";

    public static final String CURRENT_VERSION = "1";
    public static final String PYTORCH = "pt";

    /** Id of the run. */
    public static final String RUN = "run";

    /** Number of trained epochs. */
    public static final String EPOCH = "epoch";

    /** Accuracy on the test set, from 0 to 1; absent if it was not evaluated. */
    public static final String ACCURACY = "accuracy";

    /** Resolved definition of the run, as JSON; the service adds it. */
    public static final String DEFINITION = "definition";

    /** Architecture, as JSON of the protocol. */
    public static final String NETWORK = "network";

    /** Data set, as JSON of the protocol. */
    public static final String DATASET = "dataset";

    /** Loss, as JSON of the protocol. */
    public static final String LOSS = "loss";

    /** {@link InputScaling}, as JSON; absent if samples are taken as they are. */
    public static final String NORMALIZATION = "normalization";

    /** Names of the classes, as a JSON list; absent if the classes have numbers only. */
    public static final String CLASS_NAMES = "class_names";

    /** Shape of a sample in PyTorch's order, as a JSON list; the channels of an image first. */
    public static final String INPUT_SHAPE = "input_shape";

    private ModelMetadata() {}
}

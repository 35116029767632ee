package dev.equipoise.agent.dataset;

import dev.equipoise.agent.network.TargetCode;
import dev.equipoise.protocol.dataset.Augmentation;
import java.util.List;

/**
 * Training set and test set of a run.
 *
 * @param targets target code of the classes for a squared error loss
 * @param classNames in the order of the class numbers; empty if the classes have no names
 * @param files what the sets were read from
 */
public record DatasetSplit(
        Dataset training,
        Dataset test,
        TargetCode targets,
        List<String> classNames,
        DatasetFiles files) {

    public DatasetSplit {
        classNames = List.copyOf(classNames);
    }

    /** Creates a split without class names and files. */
    DatasetSplit(Dataset training, Dataset test, TargetCode targets) {
        this(training, test, targets, List.of(), DatasetFiles.of("generated"));
    }

    /** Returns a split with a one-hot target code. */
    static DatasetSplit of(Dataset training, Dataset test) {
        return new DatasetSplit(training, test, TargetCode.oneHot(training.classes()));
    }

    /** Returns the split with names of its classes, in the order of the class numbers. */
    DatasetSplit named(List<String> names) {
        return new DatasetSplit(training, test, targets, names, files);
    }

    /** Returns the split with the files from which it was read. */
    DatasetSplit from(DatasetFiles sources) {
        return new DatasetSplit(training, test, targets, classNames, sources);
    }

    /** Returns the first training samples and the whole test set, so that accuracies compare. */
    public DatasetSplit limit(int samples) {
        return new DatasetSplit(training.limit(samples), test, targets, classNames, files);
    }

    /**
     * Returns a split whose training images are augmented; the test set stays as it is.
     *
     * @param seed of the run
     */
    public DatasetSplit augmented(Augmentation augmentation, long seed) {
        return new DatasetSplit(
                training.augmented(augmentation, seed), test, targets, classNames, files);
    }
}

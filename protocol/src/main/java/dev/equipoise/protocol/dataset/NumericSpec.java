package dev.equipoise.protocol.dataset;

/** A data set of numeric samples, which are normalized. */
public sealed interface NumericSpec extends DatasetSpec
        permits OwnSpec,
                PublishedSpec.Mnist,
                PublishedSpec.FashionMnist,
                PublishedSpec.Cifar10,
                PublishedSpec.Cifar100,
                PublishedSpec.Optdigits {

    Normalization normalisation();
}

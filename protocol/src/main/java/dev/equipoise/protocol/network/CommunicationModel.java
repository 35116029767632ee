package dev.equipoise.protocol.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Networks of which only the sizes of the layers are known here. They exist to measure what it
 * costs to exchange such gradients; they cannot be trained.
 */
public enum CommunicationModel {
    /** Krizhevsky et al. 2012, with grouped convolutions as in Caffe. */
    ALEXNET("alexnet") {
        @Override
        List<Layer> layers() {
            return List.of(
                    convolution(3, 96, 11),
                    convolution(48, 256, 5),
                    convolution(256, 384, 3),
                    convolution(192, 384, 3),
                    convolution(192, 256, 3),
                    dense(9216, 4096),
                    dense(4096, 4096),
                    dense(4096, 1000));
        }
    },

    /** Szegedy et al. 2014 without the two auxiliary heads, which add 6,379,728 parameters. */
    GOOGLENET("googlenet") {
        @Override
        List<Layer> layers() {
            List<Layer> layers = new ArrayList<>();
            layers.add(convolution(3, 64, 7));
            layers.add(convolution(64, 64, 1));
            layers.add(convolution(64, 192, 3));
            int channels = 192;
            // Each module: 1x1, reduction and 3x3, reduction and 5x5, projection of the pool.
            for (int[] module :
                    new int[][] {
                        {64, 96, 128, 16, 32, 32},
                        {128, 128, 192, 32, 96, 64},
                        {192, 96, 208, 16, 48, 64},
                        {160, 112, 224, 24, 64, 64},
                        {128, 128, 256, 24, 64, 64},
                        {112, 144, 288, 32, 64, 64},
                        {256, 160, 320, 32, 128, 128},
                        {256, 160, 320, 32, 128, 128},
                        {384, 192, 384, 48, 128, 128}
                    }) {
                layers.add(convolution(channels, module[0], 1));
                layers.add(convolution(channels, module[1], 1));
                layers.add(convolution(module[1], module[2], 3));
                layers.add(convolution(channels, module[3], 1));
                layers.add(convolution(module[3], module[4], 5));
                layers.add(convolution(channels, module[5], 1));
                channels = module[0] + module[2] + module[4] + module[5];
            }
            layers.add(dense(channels, 1000));
            return List.copyOf(layers);
        }
    },

    /** He et al. 2015; convolutions without biases, each with a batch normalisation. */
    RESNET_50("resnet-50") {
        @Override
        List<Layer> layers() {
            List<Layer> layers = new ArrayList<>();
            addNormalised(layers, 3, 64, 7);
            int channels = 64;
            int width = 64;
            for (int blocks : new int[] {3, 4, 6, 3}) {
                for (int block = 0; block < blocks; block++) {
                    addNormalised(layers, channels, width, 1);
                    addNormalised(layers, width, width, 3);
                    addNormalised(layers, width, 4 * width, 1);
                    if (block == 0) {
                        addNormalised(layers, channels, 4 * width, 1);
                    }
                    channels = 4 * width;
                }
                width *= 2;
            }
            layers.add(dense(channels, 1000));
            return List.copyOf(layers);
        }
    };

    private final String label;

    CommunicationModel(String label) {
        this.label = label;
    }

    public static Optional<CommunicationModel> named(String label) {
        return Arrays.stream(values()).filter(model -> model.label.equals(label)).findFirst();
    }

    public String label() {
        return label;
    }

    /**
     * What learns together.
     *
     * @param learned numbers in each of its tensors
     * @param observed the same of those that no gradient changes
     */
    record Layer(List<Integer> learned, List<Integer> observed) {

        Layer(Integer... learned) {
            this(List.of(learned), List.of());
        }
    }

    abstract List<Layer> layers();

    /** Parameters of each layer that learns, first to last. */
    public List<Integer> layerSizes() {
        return layers().stream()
                .map(layer -> layer.learned().stream().mapToInt(Integer::intValue).sum())
                .toList();
    }

    /**
     * Numbers of each tensor, first to last, as Caffe keeps them and its parallel versions send
     * them one by one: weights, biases, and of a batch normalisation also the mean, the variance
     * and a factor beside scales and shifts.
     */
    public List<Integer> tensorSizes() {
        return layers().stream()
                .flatMap(
                        layer -> Stream.concat(layer.observed().stream(), layer.learned().stream()))
                .toList();
    }

    public int parameterCount() {
        return layerSizes().stream().mapToInt(Integer::intValue).sum();
    }

    private static Layer convolution(int channels, int filters, int kernel) {
        return new Layer(channels * kernel * kernel * filters, filters);
    }

    private static Layer dense(int inputs, int units) {
        return new Layer(inputs * units, units);
    }

    /** A convolution, and the scales and shifts behind it. */
    private static void addNormalised(List<Layer> layers, int channels, int filters, int kernel) {
        layers.add(new Layer(channels * kernel * kernel * filters));
        layers.add(new Layer(List.of(filters, filters), List.of(filters, filters, 1)));
    }
}

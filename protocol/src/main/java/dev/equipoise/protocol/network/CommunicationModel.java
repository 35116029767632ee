package dev.equipoise.protocol.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Networks of which only the layer sizes are known. They serve to measure the exchange of gradients
 * and cannot be trained.
 */
public enum CommunicationModel {
    /** Krizhevsky et al. 2012, with grouped convolutions as in Caffe. */
    ALEXNET("alexnet") {
        @Override
        List<LayerTensors> layers() {
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
        List<LayerTensors> layers() {
            List<LayerTensors> layers = new ArrayList<>();
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

    /** He et al. 2015; convolutions without biases, each with a batch normalization. */
    RESNET_50("resnet-50") {
        @Override
        List<LayerTensors> layers() {
            List<LayerTensors> layers = new ArrayList<>();
            addNormalized(layers, 3, 64, 7);
            int channels = 64;
            int width = 64;
            for (int blocks : new int[] {3, 4, 6, 3}) {
                for (int block = 0; block < blocks; block++) {
                    addNormalized(layers, channels, width, 1);
                    addNormalized(layers, width, width, 3);
                    addNormalized(layers, width, 4 * width, 1);
                    if (block == 0) {
                        addNormalized(layers, channels, 4 * width, 1);
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
     * Tensors of one layer.
     *
     * @param learned sizes of the tensors that gradients change
     * @param running sizes of the running statistics, which no gradient changes
     */
    record LayerTensors(List<Integer> learned, List<Integer> running) {

        LayerTensors(Integer... learned) {
            this(List.of(learned), List.of());
        }
    }

    abstract List<LayerTensors> layers();

    /** Returns the number of parameters of each layer, first to last. */
    public List<Integer> layerSizes() {
        return layers().stream()
                .map(layer -> layer.learned().stream().mapToInt(Integer::intValue).sum())
                .toList();
    }

    /**
     * Returns the size of each tensor, first to last, as Caffe stores them and its parallel
     * versions send them one by one: weights and biases; for a batch normalization mean, variance
     * and a factor besides scales and shifts.
     */
    public List<Integer> tensorSizes() {
        return layers().stream()
                .flatMap(layer -> Stream.concat(layer.running().stream(), layer.learned().stream()))
                .toList();
    }

    public int parameterCount() {
        return layerSizes().stream().mapToInt(Integer::intValue).sum();
    }

    private static LayerTensors convolution(int channels, int filters, int kernel) {
        return new LayerTensors(channels * kernel * kernel * filters, filters);
    }

    private static LayerTensors dense(int inputs, int units) {
        return new LayerTensors(inputs * units, units);
    }

    /** Adds a convolution and its batch normalization. */
    private static void addNormalized(
            List<LayerTensors> layers, int channels, int filters, int kernel) {
        layers.add(new LayerTensors(channels * kernel * kernel * filters));
        layers.add(new LayerTensors(List.of(filters, filters), List.of(filters, filters, 1)));
    }
}

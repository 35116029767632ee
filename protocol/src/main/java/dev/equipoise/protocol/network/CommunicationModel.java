package dev.equipoise.protocol.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Networks of which only the sizes of the layers are known here. They exist to measure what it
 * costs to exchange such gradients; they cannot be trained.
 */
public enum CommunicationModel {
    /** Krizhevsky et al. 2012, with grouped convolutions as in Caffe. */
    ALEXNET("alexnet") {
        @Override
        public List<Integer> layerSizes() {
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
        public List<Integer> layerSizes() {
            List<Integer> sizes = new ArrayList<>();
            sizes.add(convolution(3, 64, 7));
            sizes.add(convolution(64, 64, 1));
            sizes.add(convolution(64, 192, 3));
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
                sizes.add(convolution(channels, module[0], 1));
                sizes.add(convolution(channels, module[1], 1));
                sizes.add(convolution(module[1], module[2], 3));
                sizes.add(convolution(channels, module[3], 1));
                sizes.add(convolution(module[3], module[4], 5));
                sizes.add(convolution(channels, module[5], 1));
                channels = module[0] + module[2] + module[4] + module[5];
            }
            sizes.add(dense(channels, 1000));
            return List.copyOf(sizes);
        }
    },

    /** He et al. 2015; convolutions without biases, each with a batch normalisation. */
    RESNET_50("resnet-50") {
        @Override
        public List<Integer> layerSizes() {
            List<Integer> sizes = new ArrayList<>();
            addNormalised(sizes, 3, 64, 7);
            int channels = 64;
            int width = 64;
            for (int blocks : new int[] {3, 4, 6, 3}) {
                for (int block = 0; block < blocks; block++) {
                    addNormalised(sizes, channels, width, 1);
                    addNormalised(sizes, width, width, 3);
                    addNormalised(sizes, width, 4 * width, 1);
                    if (block == 0) {
                        addNormalised(sizes, channels, 4 * width, 1);
                    }
                    channels = 4 * width;
                }
                width *= 2;
            }
            sizes.add(dense(channels, 1000));
            return List.copyOf(sizes);
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

    /** Parameters of each layer that learns, first to last. */
    public abstract List<Integer> layerSizes();

    public int parameterCount() {
        return layerSizes().stream().mapToInt(Integer::intValue).sum();
    }

    private static int convolution(int channels, int filters, int kernel) {
        return (channels * kernel * kernel + 1) * filters;
    }

    private static int dense(int inputs, int units) {
        return (inputs + 1) * units;
    }

    /** A convolution, and the scales and shifts behind it. */
    private static void addNormalised(List<Integer> sizes, int channels, int filters, int kernel) {
        sizes.add(channels * kernel * kernel * filters);
        sizes.add(2 * filters);
    }
}

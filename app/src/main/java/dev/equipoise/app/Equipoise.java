package dev.equipoise.app;

import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the service, or answers an option such as {@code --version}. */
@SpringBootApplication
@EnableScheduling
@EnableResilientMethods
public class Equipoise {

    public static void main(String[] arguments) {
        Optional<String> answer = CommandLine.answer(arguments);
        if (answer.isPresent()) {
            System.out.println(answer.get());
            return;
        }
        try {
            SpringApplication.run(Equipoise.class, arguments);
        } catch (RuntimeException failure) {
            StartFailure.explain(failure);
            System.exit(1);
        }
    }
}

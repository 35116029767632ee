package dev.equipoise.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the service. */
@SpringBootApplication
@EnableScheduling
@EnableResilientMethods
public class Equipoise {

    public static void main(String[] arguments) {
        try {
            SpringApplication.run(Equipoise.class, arguments);
        } catch (RuntimeException failure) {
            StartFailure.explain(failure);
            System.exit(1);
        }
    }
}

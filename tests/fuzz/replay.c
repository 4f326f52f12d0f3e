/*
 * replay.c - runs a fuzz target over its kept corpus, for compilers without libFuzzer.
 *
 * replay DIRECTORY: every file in it is one input. An empty corpus is a failure: it would prove
 * nothing.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t nbytes);

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    /* The block fits exactly, so that ASan sees reads past the end. */
    uint8_t *data = NULL;
    long nbytes = -1;
    if (fseek(file, 0, SEEK_END) == 0 && (nbytes = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0)
        data = malloc(nbytes > 0 ? (size_t)nbytes : 1);
    int failed = !data || fread(data, 1, (size_t)nbytes, file) != (size_t)nbytes;
    if (failed)
        fprintf(stderr, "%s: cannot be read\n", path);
    else
        LLVMFuzzerTestOneInput(data, (size_t)nbytes);
    free(data);
    fclose(file);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS-DIRECTORY\n", argv[0]);
        return 2;
    }
    DIR *directory = opendir(argv[1]);
    if (!directory) {
        perror(argv[1]);
        return 1;
    }
    int n_inputs = 0;
    int n_failed = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        n_failed += replay(path);
        n_inputs++;
    }
    closedir(directory);
    printf("%d inputs replayed\n", n_inputs);
    return n_inputs == 0 || n_failed > 0;
}

from wardogs.cli import main

main()
